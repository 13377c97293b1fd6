import { sql } from 'kysely';
import { foldName, foldUserName } from '../policy/names.ts';

/** `users.username` as names compare (`foldUserName`); it has an index. Both engines lower only ASCII letters. */
export const foldedUsername = sql<string>`coalesce(folded_name, lower(username))`;

/** @returns `users.folded_name` of a name; null: the engines can fold it themselves */
export function foldedNameOf(username: string): string | null {
  const folded = foldUserName(username);
  return folded === foldName(username) ? null : folded;
}
