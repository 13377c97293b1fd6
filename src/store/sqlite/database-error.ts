import { ownerAdvice } from '../../config/own-files.ts';

/** The kinds of fault that need different handling. */
type Fault = 'damaged' | 'locked' | 'full' | 'failing' | 'newer' | 'foreign' | 'other';

/** A database that cannot be used. The message, for the operator, names the file and what to do. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly fault: Fault;

  constructor(fault: Fault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** @returns the error as the operator needs it; a DatabaseError is returned unchanged */
export function databaseError(path: string, cause: unknown): DatabaseError {
  if (cause instanceof DatabaseError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const fault = faultOf(cause);
  const messages: Readonly<Record<Fault, string>> = {
    damaged: `${path} is damaged (${reason}): put a backup back with "postern restore"`,
    locked: `${path} is locked by another program (${reason}): end that program`,
    full: `${path} cannot be written, the disk is full (${reason}): make room`,
    failing: `${path} cannot be read or written (${reason}): the disk is full or failing`,
    newer: reason,
    foreign: reason,
    other: `${path} cannot be used (${reason})${isRefused(cause) ? ownerAdvice(path, 'directory') : ''}`,
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

/** SQLITE_PERM, SQLITE_READONLY and SQLITE_CANTOPEN all mean this. */
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
  // The lower byte is the code; the rest only refines it.
  return typeof errcode === 'number' ? (faults[errcode & 0xff] ?? 'other') : 'other';
}
