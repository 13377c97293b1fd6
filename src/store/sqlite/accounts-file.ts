import { DatabaseSync } from 'node:sqlite';
import { wholeSeconds } from '../../clock.ts';
import { openToRead } from './copy-database.ts';
import { databaseError } from './database-error.ts';
import { newName } from '../engine.ts';

/** The accounts in a database file, to compare it with another. */
export interface AccountsFile {
  readonly users: ReadonlyMap<string, { readonly role: string; readonly passwordHash: string }>;
  readonly tokens: ReadonlyMap<string, { readonly name: string; readonly username: string }>;
}

/** @throws DatabaseError */
export function readAccountsFile(path: string): AccountsFile {
  return using(path, openToRead(path), (file) => {
    const users = file.prepare('SELECT username, role, password_hash FROM users ORDER BY username').all();
    const tokens = file
      .prepare('SELECT token_id, name, username FROM api_tokens ORDER BY username, name')
      .all();
    return {
      users: new Map(
        users.map(({ username, role, password_hash }) => [
          String(username),
          { role: String(role), passwordHash: String(password_hash) },
        ]),
      ),
      tokens: new Map(
        tokens.map(({ token_id, name, username }) => [
          String(token_id),
          { name: String(name), username: String(username) },
        ]),
      ),
    };
  });
}

/**
 * Removes from a closed database what must not be restored.
 * @param notBefore milliseconds since the epoch: when set, ends every session that began earlier
 * @param tokens ids of API tokens to delete
 * @throws DatabaseError
 */
export function endInFile(path: string, notBefore: number | undefined, tokens: Iterable<string>): void {
  using(path, new DatabaseSync(path), (file) => {
    file.exec('BEGIN');
    if (notBefore !== undefined) {
      file
        .prepare(`UPDATE users SET session_generation = ${newName.sqlite}, sessions_not_before = ?`)
        .run(wholeSeconds(notBefore));
    }
    // One that was used since would give a second account.
    file.exec('DELETE FROM invitations');
    // What happened before the backup is no news.
    file.exec('DELETE FROM outbox');
    for (const token of tokens) file.prepare('DELETE FROM api_tokens WHERE token_id = ?').run(token);
    file.exec('COMMIT');
  });
}

function using<T>(path: string, file: DatabaseSync, work: (file: DatabaseSync) => T): T {
  try {
    return work(file);
  } catch (cause) {
    throw databaseError(path, cause);
  } finally {
    file.close();
  }
}
