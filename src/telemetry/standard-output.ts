import { constants, fstatSync, openSync, writeSync } from 'node:fs';

const standardOutput = 1;

/**
 * @returns what writes to standard output, and throws EAGAIN where it would have to wait for a reader. Writing by other
 * threads would not do: the process cannot end as long as one of them waits.
 */
export function standardOutputWriter(): (bytes: Buffer) => number {
  const descriptor = withoutWaiting();
  return (bytes) => writeSync(descriptor, bytes);
}

function withoutWaiting(): number {
  if (fstatSync(standardOutput).isFile()) return standardOutput;
  try {
    // A description of our own: others who write to the same pipe or terminal go on as they were.
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    return openSync(`/proc/self/fd/${standardOutput}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    // Sockets cannot be opened again, nor can pipes of another user. Node makes both non-blocking when it is asked for the
    // stream; a terminal of another user stays as it is.
    return process.stdout.fd;
  }
}
