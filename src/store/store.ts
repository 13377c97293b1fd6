import type { Kysely } from 'kysely';
import { AppError } from '../errors.ts';
import type { ActivityTables } from './activity-schema.ts';
import type { Change } from './permit.ts';
import type { Tables } from './schema.ts';
import type { VersionTable } from './migrate.ts';

/** Kysely's methods that would write without a permit. */
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

/** The accounts' database. Reading is unrestricted; only `change` writes. */
export interface Store extends Omit<Kysely<Tables>, Writing> {
  /** @throws AppError `store_unavailable`, and whatever permit and work throw */
  readonly change: Change;
}

/** The record of events and of who was seen; no decision depends on it. */
export type Activity = Kysely<ActivityTables>;

/**
 * While this returns the same number, values read from the store are still current. NaN, which equals nothing, means unknown. A
 * write of this process changes it at once, one of another process within a millisecond; with a shared store, within a second.
 */
type StoreVersion = () => number;

export interface VersionedStore {
  readonly store: Store;
  readonly version: StoreVersion;
  /** When the question for the current `version` was sent, by `performance.now()`. Absent when it is always known. */
  readonly knownAt?: () => number;
  /** The same for the custom roles in the store. */
  readonly rolesVersion: StoreVersion;
  /** Called with the version of the roles whenever an account is read from a shared store. */
  readonly sawRoles?: (version: number) => void;
  /** Rejects when a change could not be saved now. Writes nothing. */
  readonly requireWritable: () => Promise<void>;
}

/** The store is unusable or unreachable. The message is complete and names no password. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
}

/** Runs a write; if the store cannot accept it (disk full, read-only), it throws `store_unavailable`. */
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

/** Reads a little of a database. @throws the system's error when it cannot be read */
export async function requireReadable<All extends VersionTable>(
  database: Pick<Kysely<All>, 'selectFrom'>,
): Promise<void> {
  await (database as unknown as Pick<Kysely<VersionTable>, 'selectFrom'>)
    .selectFrom('schema_version')
    .select('version')
    .executeTakeFirstOrThrow();
}

/** @returns what `make` returns; if it fails, everything opened until then is closed. @throws what `make` throws */
export async function withCleanup<T>(make: (closing: AsyncDisposableStack) => Promise<T>): Promise<T> {
  const closing = new AsyncDisposableStack();
  try {
    return await make(closing);
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}
