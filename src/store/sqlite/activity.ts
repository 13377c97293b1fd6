import { existsSync, renameSync } from 'node:fs';
import { activity, type ActivityTables } from '../activity-schema.ts';
import { DatabaseError, databaseError } from './database-error.ts';
import { DirectoryBusyError } from './directory-lock.ts';
import { openInMemory, type OpeningNotices } from './open-database.ts';
import type { Activity } from '../store.ts';
import { openActivity } from './open-store.ts';

/** The file could not be used as it was; this says what happened instead. */
interface ActivityTrouble {
  readonly error: Error;
  /** Where the damaged file is now, or `undefined` if it stays in place and activity is not saved. */
  readonly movedTo: string | undefined;
}

interface ActivityOptions {
  /** Milliseconds that a statement waits for another writing process. */
  readonly lockTimeout: number;
  /** Milliseconds since the epoch, for the name of a file that is moved aside. */
  readonly now: number;
  readonly notices: OpeningNotices;
  /** Called once when the file could not be used as it was. */
  readonly onTrouble: (trouble: ActivityTrouble) => void;
}

// Memory that a stand-in database may take.
const standInBytes = 32 * 1024 * 1024;

/**
 * Opens the activity database in any case, because no decision depends on it. A damaged file is moved aside and a new one begins;
 * if it cannot be used for another reason, a database in memory replaces it until the next start.
 * @throws DirectoryBusyError
 */
export async function openActivityAnyway(
  path: string,
  { lockTimeout, now, notices, onTrouble }: ActivityOptions,
): Promise<Activity> {
  const open = () => openActivity(path, lockTimeout, notices);
  let trouble: Error;
  try {
    return await open();
  } catch (error) {
    if (error instanceof DirectoryBusyError) throw error;
    trouble = databaseError(path, error);
  }
  if (trouble instanceof DatabaseError && trouble.fault === 'damaged') {
    try {
      const movedTo = moveAside(path, now);
      const opened = await open();
      onTrouble({ error: trouble, movedTo });
      return opened;
    } catch (error) {
      trouble = databaseError(path, error);
    }
  }
  onTrouble({ error: trouble, movedTo: undefined });
  return openInMemory<ActivityTables>(activity.steps, standInBytes);
}

function moveAside(path: string, now: number): string {
  const aside = `${path}.damaged-${new Date(now).toISOString().replaceAll(':', '-').replace(/\.\d+/, '')}`;
  // Otherwise the old log would be applied to the new file.
  for (const part of ['-wal', '-shm', '']) {
    if (existsSync(`${path}${part}`)) renameSync(`${path}${part}`, `${aside}${part}`);
  }
  return aside;
}
