import { closeSync, constants, fstatSync, openSync, readFileSync, statSync, type Stats } from 'node:fs';

const { O_RDONLY, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW } = constants;

type Links = 'followed' | 'refused';

/** A pipe, device, socket or directory stands where a file belongs. */
export class NoFileError extends Error {
  override readonly name = 'NoFileError';
  /** As the system names it; only directories have a code there. */
  readonly code: string;

  constructor(path: string, found: Stats) {
    const kind = kindOf(found);
    super(`${path} is ${kind}, where a file belongs`);
    this.code = found.isDirectory() ? 'EISDIR' : kind;
  }
}

/**
 * Opens a file for reading. A pipe or a device is refused at once: to read it could wait for ever, or never end.
 * @returns a descriptor that the caller closes
 * @throws NoFileError, or the system's error
 */
export function openFile(path: string, links: Links = 'followed'): number {
  const file = openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | (links === 'refused' ? O_NOFOLLOW : 0));
  try {
    requireKind(path, fstatSync(file));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Reads a whole file that is not the program's own. @throws as `openFile` */
export function readBytes(path: string): Buffer {
  const file = openFile(path);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Reads a whole file that is not the program's own, as UTF-8. @throws as `openFile` */
export function readText(path: string): string {
  return readBytes(path).toString('utf8');
}

/** For files that a library opens. Nothing at the path is no fault. @throws NoFileError, or the system's error */
export function requireFileOrNone(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined) requireKind(path, found);
}

/** @throws NoFileError */
export function requireKind(path: string, found: Stats): void {
  if (!found.isFile()) throw new NoFileError(path, found);
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a directory (EISDIR)';
  if (found.isFIFO()) return 'a pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}
