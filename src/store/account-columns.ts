import { sql, type Kysely, type RawBuilder } from 'kysely';
import { wholeSeconds } from '../clock.ts';
import { inEngine, newName } from './engine.ts';
import type { SessionGeneration } from '../policy/session-generation.ts';
import { foldName, foldUserName } from '../policy/names.ts';

/**
 * The version of the custom roles, to be read with an account, if they are in the store. Without it a role made a moment ago
 * would be unknown, and its user would count as a viewer.
 */
export function rolesVersionBeside(on: Pick<Kysely<never>, 'getExecutor'>): RawBuilder<number> {
  return inEngine<number>(on, { sqlite: '0', postgres: '(SELECT roles FROM store_version)' });
}

/** Column values that end all sessions of a user. @param now milliseconds since the epoch */
export function newGeneration(
  on: Pick<Kysely<never>, 'getExecutor'>,
  now: number,
): {
  readonly session_generation: RawBuilder<string>;
  readonly sessions_not_before: number;
} {
  return {
    session_generation: inEngine<string>(on, newName),
    sessions_not_before: wholeSeconds(now),
  };
}

/** `isOfGeneration` as a condition on the rows of `seen_sessions`. */
export function isOfGenerationNow({ generation, notBefore }: SessionGeneration): RawBuilder<boolean> {
  return sql<boolean>`
    CASE WHEN session_generation IS NULL THEN began_at >= ${wholeSeconds(notBefore)}
    ELSE session_generation = ${generation} END`;
}

/** 1 if a row of `users` has a second factor, otherwise 0. */
export const hasSecondFactor = sql<number>`CASE WHEN EXISTS (SELECT 1 FROM passkeys WHERE passkeys.username = users.username)
  OR EXISTS (SELECT 1 FROM one_time_codes WHERE one_time_codes.username = users.username) THEN 1 ELSE 0 END`;

/** Name of the admin whose invitation made a row of `users`, as long as they could answer a request; otherwise null. */
export const inviterName = sql<string | null>`(SELECT inviter.username FROM users AS inviter
  WHERE inviter.user_id = users.invited_by AND inviter.role = 'admin' AND inviter.blocked IS NULL)`;

/** `users.username` as names compare (`foldUserName`); it has an index. Both engines lower only ASCII letters. */
export const foldedUsername = sql<string>`coalesce(folded_name, lower(username))`;

/** @returns `users.folded_name` of a name; null if the engines can fold it themselves */
export function foldedNameOf(username: string): string | null {
  const folded = foldUserName(username);
  return folded === foldName(username) ? null : folded;
}
