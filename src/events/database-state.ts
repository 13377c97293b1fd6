import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { isOutOfFiles } from '../config/open-files.ts';
import { NoFileError } from '../config/read-file.ts';

/** Why the recorder's database cannot be read. */
export const databaseFaults = [
  'missing',
  'not_a_file',
  'too_few_files',
  'unreadable',
  'locked',
  'damaged',
  'foreign',
] as const;

export type DatabaseFault = (typeof databaseFaults)[number];

/** A fault, and what follows `is` in a message for the operator. */
export interface FoundFault {
  readonly fault: DatabaseFault;
  readonly text: string;
}

// https://sqlite.org/rescode.html; the lower byte is the code, the rest refines it.
const sqlite = { error: 1, busy: 5, locked: 6, corrupt: 11, cannotOpen: 14, protocol: 15, notADatabase: 26 };

/**
 * @param path of the file
 * @param cause an error of the system or of SQLite
 */
export function faultOf(path: string, cause: unknown): FoundFault {
  const { code, errcode = 0, message } = cause as NodeJS.ErrnoException & { readonly errcode?: number };
  const primary = errcode & 0xff;
  if (cause instanceof NoFileError) return { fault: 'not_a_file', text: 'no regular file' };
  if (code === 'ENOENT' || code === 'ENOTDIR') return { fault: 'missing', text: 'a file that is not there' };
  if (isOutOfFiles(cause) || (primary === sqlite.cannotOpen && isReadable(path) && areFilesUsedUp()))
    return { fault: 'too_few_files', text: 'not open: too few files may be open (ulimit -n)' };
  if (code === 'EACCES' || primary === sqlite.cannotOpen)
    return { fault: 'unreadable', text: 'a file that this user cannot read' };
  if (primary === sqlite.busy || primary === sqlite.locked || primary === sqlite.protocol)
    return { fault: 'locked', text: 'locked by another program' };
  if (primary === sqlite.notADatabase) return { fault: 'damaged', text: 'a file that is no SQLite database' };
  if (primary === sqlite.corrupt) return { fault: 'damaged', text: `a damaged database (${message})` };
  if (primary === sqlite.error)
    return { fault: 'foreign', text: `a database that is no recorder's (${message})` };
  return { fault: 'unreadable', text: `a file that cannot be read (${message})` };
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** SQLite does not say why it cannot open a file: it needs three, for the database, its log and the log's index. */
function areFilesUsedUp(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < 3) opened.push(openSync('/dev/null', 'r'));
    return false;
  } catch (error) {
    return isOutOfFiles(error);
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** Milliseconds without a fault after which a file that was read in part counts as good again. */
const calm = 60_000;

/** The one state of the recorder's database, whichever request finds it. */
export interface DatabaseState {
  fault(): FoundFault | undefined;
  /** @param identity of the file that was read */
  succeeded(identity: string): void;
  /** @param identity of the file, where it is known */
  failed(found: FoundFault, identity: string | undefined): void;
}

/**
 * A damaged or foreign file can be read in part: it counts as good again once it is replaced, or after a minute without a
 * fault. Every other fault ends with the next reading.
 * @param onChange called when a fault begins, with it, and when the file can be read again
 */
export function databaseState(
  onChange: (found: FoundFault | undefined) => void,
  elapsed: () => number,
): DatabaseState {
  let current: { readonly found: FoundFault; readonly of: string | undefined; at: number } | undefined;
  return {
    fault: () => current?.found,
    succeeded: (identity) => {
      if (current === undefined) return;
      const { found, of, at } = current;
      const lasts = found.fault === 'damaged' || found.fault === 'foreign';
      if (lasts && of === identity && elapsed() - at < calm) return;
      current = undefined;
      onChange(undefined);
    },
    failed: (found, identity) => {
      const isNew = current?.found.fault !== found.fault;
      current = { found, of: identity, at: elapsed() };
      if (isNew) onChange(found);
    },
  };
}
