let isLost = false;

/**
 * Lets the command finish when no one reads its output, so that nothing stays half done. A reader that leaves early, as
 * `head` does, is no fault; anything else, such as a full disk, is one line on stderr and status 1.
 */
export function outliveOutput(): void {
  let isFault = false;
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    isLost = true;
    if (code === 'EPIPE' || isFault) return;
    isFault = true;
    complain(`the output cannot be written (${code})`);
  });
  // stderr is gone too: there is nowhere to report to.
  process.stderr.on('error', () => undefined);
  process.on('exit', () => {
    if (isFault) process.exitCode ||= 1;
  });
}

/** Whether the output can still be read: an endless command ends with its reader. */
export function isOutputTaken(): boolean {
  return !isLost;
}

/** Prints what went wrong. */
export function complain(text: string): void {
  process.stderr.write(`postern: ${text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '?')}\n`);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** ISO 8601 in local time. @param time milliseconds since the epoch */
export function localTime(time: number): string {
  const date = new Date(time);
  const offset = -date.getTimezoneOffset();
  const two = (number: number) => String(number).padStart(2, '0');
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  const shifted = new Date(time + offset * 60_000);
  return `${shifted.toISOString().slice(0, 19)}${zone}`;
}
