import { existsSync, renameSync } from 'node:fs';
import { activity } from '../activity-migrations.ts';
import type { ActivityTables } from '../activity-schema.ts';
import { DatabaseError, databaseError } from './database-error.ts';
import { DirectoryBusyError } from './directory-lock.ts';
import { openInMemory, type OpeningNotices } from './open-database.ts';
import type { Activity } from '../store.ts';
import { openActivity } from './open-store.ts';

/** What was done instead of using the file as it was. */
export interface ActivityTrouble {
  readonly error: Error;
  /** Where the damaged file is now; undefined: it stays, and what is done is not kept. */
  readonly movedTo: string | undefined;
}

// What a stand-in may take of the memory.
const standInBytes = 32 * 1024 * 1024;

/**
 * Opens the activity database whatever is the matter with it, since no decision depends on it. A damaged one is moved aside
 * and another begins; in place of one that cannot be used otherwise there is one in memory, until the next start.
 * @param now milliseconds since the epoch, for the name of a file that is moved aside
 * @param onTrouble told once when the file could not be used as it was
 * @throws DirectoryBusyError
 */
export async function openActivityAnyway(
  path: string,
  lockTimeout: number,
  now: number,
  notices: OpeningNotices,
  onTrouble: (trouble: ActivityTrouble) => void,
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
  // The log would be taken for that of the new file.
  for (const part of ['-wal', '-shm', '']) {
    if (existsSync(`${path}${part}`)) renameSync(`${path}${part}`, `${aside}${part}`);
  }
  return aside;
}
