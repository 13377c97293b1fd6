import { ownerAdvice } from '../../config/file-owner.ts';

/** What is the matter with a database, as far as it decides what to do about it. */
type Fault = 'damaged' | 'locked' | 'full' | 'failing' | 'newer' | 'other';

/** A database that cannot be used. The message names the file and says what to do; it is for the operator. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly fault: Fault;

  constructor(fault: Fault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** @returns the error as the operator needs it; one that is so already stays as it is */
export function databaseError(path: string, cause: unknown): DatabaseError {
  if (cause instanceof DatabaseError) return cause;
  const said = cause instanceof Error ? cause.message : String(cause);
  const fault = faultOf(cause);
  const messages: Readonly<Record<Fault, string>> = {
    damaged: `${path} is damaged (${said}): put a backup back with "postern restore"`,
    locked: `${path} is locked by another program (${said}): end that program`,
    full: `${path} cannot be written, the disk is full (${said}): make room`,
    failing: `${path} cannot be read or written (${said}): the disk is full or failing`,
    newer: said,
    other: `${path} cannot be used (${said})${isRefused(cause) ? ownerAdvice(path, 'directory') : ''}`,
  };
  return new DatabaseError(fault, messages[fault], { cause });
}

// https://sqlite.org/rescode.html: SQLITE_BUSY, SQLITE_LOCKED, SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_FULL, SQLITE_NOTADB.
const faults: Readonly<Record<number, Fault>> = {
  5: 'locked',
  6: 'locked',
  10: 'failing',
  11: 'damaged',
  13: 'full',
  26: 'damaged',
};

/** SQLITE_PERM, SQLITE_READONLY and SQLITE_CANTOPEN are what it makes of the same. */
function isRefused(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { readonly code?: unknown; readonly errcode?: unknown };
  return (
    code === 'EACCES' ||
    code === 'EPERM' ||
    (typeof errcode === 'number' && [3, 8, 14].includes(errcode & 0xff))
  );
}

function faultOf(error: unknown): Fault {
  const { code, errcode } = (error ?? {}) as { readonly code?: unknown; readonly errcode?: unknown };
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'full';
  // The lower byte: what is above says where it happened.
  return typeof errcode === 'number' ? (faults[errcode & 0xff] ?? 'other') : 'other';
}
