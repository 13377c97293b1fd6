import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openReadOnly } from '../store/sqlite/sqlite-file.ts';

/**
 * Where the file of a recorder is mounted or installed. A recorder may name its own, but not to the gate: whoever answers there could
 * name any file.
 */
const usualPaths = [
  '/recorder/frigate.db',
  '/config/frigate.db',
  '/db/frigate.db',
  '/media/frigate/frigate.db',
  '/srv/frigate/config/frigate.db',
  '/opt/frigate/config/frigate.db',
];

// Milliseconds.
const lockTimeout = 100;

/**
 * Looks beside config.yml first, because an operator put that file there.
 * @param directory of config.yml
 * @param others looked at afterwards, in order
 * @returns the path of a recorder's database that can be read; `undefined` if none is found
 */
export function findRecorderDatabase(
  directory: string,
  others: readonly string[] = usualPaths,
): string | undefined {
  return [join(directory, 'frigate.db'), ...others].find(hasEvents);
}

function hasEvents(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    const file = openReadOnly(path, lockTimeout);
    try {
      file.prepare('SELECT id, camera FROM event LIMIT 1').get();
      return true;
    } finally {
      file.close();
    }
  } catch {
    return false;
  }
}
