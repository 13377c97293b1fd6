import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { storePath } from '../../src/store/sqlite/open-store.ts';
import type { PostgresDatabase } from '../../test/support/postgres-cluster.ts';
import type { Records } from './wrk.ts';

/** SERVICE_JWT_SECRET of every gate that is measured. */
export const secret = randomBytes(64).toString('hex');

/** Every user of every gate has the same generation, so that a token is valid at each of them. */
const generation = randomUUID();
const userCount = 1_000;

function username(n: number): string {
  return `user_${String(n % userCount).padStart(4, '0')}`;
}

/** The same in PostgreSQL. */
export async function addUsersTo(database: Pick<PostgresDatabase, 'query'>): Promise<void> {
  await database.query(
    `INSERT INTO users (username, user_id, password_hash, role, session_generation, sessions_not_before, created_at)
     SELECT 'user_' || lpad(n::text, 4, '0'), 'id ' || n, '', 'viewer', $1, 0, 0 FROM generate_series(0, $2 - 1) AS n`,
    [generation, userCount],
  );
  await database.query('UPDATE users SET session_generation = $1', [generation]);
}

/** Adds users that never sign in (viewers, and one of the role `neighbour`), and gives admin the generation that the tokens carry. */
export function addUsers(directory: string): void {
  const store = new DatabaseSync(storePath(directory), { timeout: 5_000 });
  store.exec('BEGIN');
  const insert = store.prepare(
    `INSERT INTO users (username, user_id, password_hash, role, session_generation, sessions_not_before, created_at)
     VALUES (?1, 'id of ' || ?1, '', ?2, ?3, 0, 0)`,
  );
  insert.run('neighbour', 'neighbour', generation);
  for (let n = 0; n < userCount; n += 1) insert.run(username(n), 'viewer', generation);
  store.prepare('UPDATE users SET session_generation = ?').run(generation);
  store.exec('COMMIT');
  store.close();
}

/**
 * A token with the claims that a login gives, of a session of its own.
 * Made here and not in src/identity/sessions: jose signs asynchronously, which takes long for many.
 */
export function sessionToken(identity: string, role: string): string {
  const issuedAt = Math.floor(Date.now() / 1_000);
  const claims = {
    role,
    sid: randomUUID(),
    gen: generation,
    sub: identity,
    iat: issuedAt,
    exp: issuedAt + 86_400,
    auth_time: issuedAt,
    jti: randomUUID(),
  };
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

export function viewerToken(n = 0): string {
  return sessionToken(username(n), 'viewer');
}

/** Writes tokens of as many sessions, spread over the users; all have the same length. */
export function writeTokens(directory: string, count: number): Records {
  const path = join(directory, 'tokens');
  const file = openSync(path, 'w');
  for (let written = 0; written < count; written += 10_000) {
    const length = Math.min(10_000, count - written);
    writeSync(file, Array.from({ length }, (_, i) => viewerToken(written + i)).join(''));
  }
  closeSync(file);
  return { path, count, length: viewerToken().length };
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
