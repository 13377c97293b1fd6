import type { Kysely } from 'kysely';
import { AppError } from '../errors.ts';
import type { ActivityTables } from './activity-schema.ts';
import type { Change } from './permit.ts';
import type { Tables } from './schema.ts';

/** The ways of Kysely to write without a permit. */
type Writing =
  | 'connection'
  | 'deleteFrom'
  | 'insertInto'
  | 'mergeInto'
  | 'replaceInto'
  | 'schema'
  | 'startTransaction'
  | 'transaction'
  | 'updateTable'
  | 'with'
  | 'withRecursive';

/** The accounts' database. It is read like any other; `change` alone writes. */
export interface Store extends Omit<Kysely<Tables>, Writing> {
  /** @throws AppError `store_unavailable`, and whatever permit and work throw */
  readonly change: Change;
}

/** What was done and who was seen; no decision depends on it. */
export type Activity = Kysely<ActivityTables>;

/**
 * What was read from the store still holds while this gives the same number; NaN, which equals nothing: nobody knows whether it
 * does. A write of this process changes it at once,
 * one of another process within a millisecond: before that process has closed the store.
 */
type StoreVersion = () => number;

export interface VersionedStore {
  readonly store: Store;
  readonly version: StoreVersion;
  /** When the question was sent, by `performance.now()`, whose answer `version` was last; undefined: it is always known. */
  readonly knownAt?: () => number;
  /** The same for the custom roles that are in the store, which only a shared one has. */
  readonly rolesVersion: StoreVersion;
  /** Told, by whoever reads an account of a shared store, of the version of the roles that the account was read with. */
  readonly sawRoles?: (version: number) => void;
  /** Rejects when a change could not be saved now. Nothing is written. */
  readonly requireWritable: () => Promise<void>;
}

/** The store cannot be used as it is, or not be reached: the message says all there is to say, and names no password. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
}

/** Runs a write; a store that cannot take it (disk full, read-only) is `store_unavailable`. */
export async function writing<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isStoreFailure(error)) throw new AppError('store_unavailable', { cause: error });
    throw error;
  }
}

function isStoreFailure(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR';
}
