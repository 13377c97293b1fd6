import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { storePath } from '../../src/store/sqlite/open-store.ts';
import type { PostgresDatabase } from './postgres-cluster.ts';

/** SERVICE_JWT_SECRET of every gate that takes these tokens. */
export const secret = randomBytes(64).toString('hex');

/** Every user of every gate has the same generation, so that a token is valid at each of them. */
const generation = randomUUID();
const userCount = 1_000;

export type NamedUser = readonly [name: string, role: string];

function username(n: number): string {
  return `user_${String(n % userCount).padStart(4, '0')}`;
}
const viewers = Array.from({ length: userCount }, (_, n): NamedUser => [username(n), 'viewer']);

/** The same in PostgreSQL. */
export async function addUsersTo(database: Pick<PostgresDatabase, 'query'>): Promise<void> {
  await database.query(
    `INSERT INTO users (username, user_id, password_hash, role, session_generation, sessions_not_before, created_at)
     SELECT 'user_' || lpad(n::text, 4, '0'), 'id ' || n, '', 'viewer', $1, 0, 0 FROM generate_series(0, $2 - 1) AS n`,
    [generation, userCount],
  );
  await database.query('UPDATE users SET session_generation = $1', [generation]);
}

/**
 * Adds users that never sign in: viewers, and one of the role `neighbour`; and gives admin the generation that the tokens carry.
 * @param users their names and roles
 */
export function addUsers(directory: string, users: readonly NamedUser[] = viewers): void {
  const store = new DatabaseSync(storePath(directory), { timeout: 5_000 });
  store.exec('BEGIN');
  const insert = store.prepare(
    `INSERT INTO users (username, user_id, password_hash, role, session_generation, sessions_not_before, created_at)
     VALUES (?1, 'id of ' || ?1, '', ?2, ?3, 0, 0)`,
  );
  insert.run('neighbour', 'neighbour', generation);
  for (const [name, role] of users) insert.run(name, role, generation);
  store.prepare('UPDATE users SET session_generation = ?').run(generation);
  store.exec('COMMIT');
  store.close();
}

/**
 * A token with the claims that a login gives, of a session of its own.
 * Doesn't use src/accounts/sessions, because jose signs asynchronously, which takes long for many.
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

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
