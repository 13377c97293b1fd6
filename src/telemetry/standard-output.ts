import { constants, fstatSync, openSync, writeSync } from 'node:fs';

const standardOutput = 1;

/**
 * @returns writes to standard output, and throws EAGAIN instead of waiting for a reader. Another thread is no alternative:
 * the process cannot end while the thread waits.
 */
export function standardOutputWriter(): (bytes: Buffer) => number {
  const descriptor = withoutWaiting();
  return (bytes) => writeSync(descriptor, bytes);
}

function withoutWaiting(): number {
  if (fstatSync(standardOutput).isFile()) return standardOutput;
  try {
    // A file description of our own: other writers of the same pipe or terminal are not affected.
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    return openSync(`/proc/self/fd/${standardOutput}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    // Sockets cannot be reopened, nor can pipes of another user. Node makes both non-blocking when `process.stdout` is used;
    // a terminal of another user stays blocking.
    return process.stdout.fd;
  }
}
