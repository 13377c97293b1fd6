import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { atMostEvery } from '../../telemetry/at-most-every.ts';
import { accounts } from '../accounts-migrations.ts';
import { activity } from '../activity-migrations.ts';
import type { ActivityTables } from '../activity-schema.ts';
import type { Change } from '../permit.ts';
import { withAlerts } from '../outbox.ts';
import type { Tables } from '../schema.ts';
import { writing, type Activity, type Store, type VersionedStore } from '../store.ts';
import { naming, openDatabase, type OpeningNotices } from './open-database.ts';
import { requireUnlocked, requireWritable } from './writable.ts';

/** Where the accounts' database is, below the configuration directory. */
export function storePath(directory: string): string {
  return join(directory, 'postern.db');
}

/** Where the activity database is, below the configuration directory. */
export function activityPath(directory: string): string {
  return join(directory, 'activity.db');
}

/** Milliseconds between two looks for changes of other processes: a look takes as long as a decision. */
const lookEvery = 1;

/** Milliseconds that a change waits for one of another process, which may write config.yml to a slow disk. */
const changeTimeout = 1_000;

/** @see openVersionedStore */
export async function openStore(path: string, lockTimeout: number): Promise<Store> {
  return (await openVersionedStore(path, lockTimeout)).store;
}

/** Settles when all other processes have what was changed before the call. */
export async function lookedForByOthers(): Promise<void> {
  // Timers may be a millisecond early.
  await pause(lookEvery + 1);
}

/**
 * Opens the accounts' database, creates it if it is missing, and brings its schema up to date. On a read-only disk it is opened
 * for reading: logins still work, changes are `store_unavailable`. Acknowledged changes survive a kill at any moment: the log is
 * synced before a commit returns.
 * @param lockTimeout milliseconds that a statement waits for another writing process; the whole thread waits, so a server keeps it short
 * @throws DatabaseError, DirectoryBusyError
 */
export async function openVersionedStore(
  path: string,
  lockTimeout: number,
  notices?: OpeningNotices,
): Promise<VersionedStore> {
  let version = 0;
  const onWrite = () => {
    version += 1;
  };
  const { file, database } = await openDatabase<Tables>(path, {
    lockTimeout,
    synchronous: 'FULL',
    steps: accounts.steps,
    mark: accounts.mark,
    onWrite,
    ...(notices && { notices }),
  });
  const checkOthers = atMostEvery(lookEvery, changesOfOthers(file, onWrite));
  const change: Change = (permit, work) =>
    writing(async () => {
      await requireUnlocked(file, path, changeTimeout);
      return database.transaction().execute(async (on) => {
        const permission = await permit(on);
        return withAlerts(on, permission, work);
      });
    });
  return {
    store: Object.assign(database, { change }),
    version: () => {
      checkOthers();
      return version;
    },
    rolesVersion: () => 0,
    requireWritable: () => requireWritable(file, path, lockTimeout),
  };
}

/**
 * Opens the activity database in the same way. Writes survive a kill of the process; a power failure may lose the last moments,
 * since nothing waits for the disk.
 * @throws DatabaseError, DirectoryBusyError
 */
export async function openActivity(
  path: string,
  lockTimeout: number,
  notices?: OpeningNotices,
): Promise<Activity> {
  const { database } = await openDatabase<ActivityTables>(path, {
    lockTimeout,
    synchronous: 'NORMAL',
    steps: activity.steps,
    mark: activity.mark,
    onWrite: () => undefined,
    ...(notices && { notices }),
  });
  return database;
}

/** SQLite returns another number after another connection has committed (PRAGMA data_version). */
function changesOfOthers(file: DatabaseSync, onChange: () => void): () => void {
  const statement = file.prepare('PRAGMA data_version');
  const path = file.location() ?? '';
  const read = () => naming(path, () => statement.get()?.['data_version']);
  let known = read();
  return () => {
    const found = read();
    if (found !== known) onChange();
    known = found;
  };
}
