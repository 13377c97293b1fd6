import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * Reads the users of an accounts' database without opening it for a gate: nothing is created or upgraded.
 * @returns an empty list when the file is missing or cannot be read
 */
export function readUserRoles(
  path: string,
): ReadonlyArray<{ readonly username: string; readonly role: string }> {
  if (!existsSync(path)) return [];
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(path, { readOnly: true, timeout: 1_000, allowExtension: false });
    const rows = file.prepare('SELECT username, role FROM users ORDER BY role, username').all();
    return rows.map(({ username, role }) => ({ username: String(username), role: String(role) }));
  } catch {
    return [];
  } finally {
    file?.close();
  }
}
