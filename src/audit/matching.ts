import { sql, type Kysely, type RawBuilder } from 'kysely';
import { isPostgres } from '../store/engine.ts';

type Column = 'username' | 'role' | 'source' | 'address' | 'object' | 'reason' | 'decision' | 'event';

/** Where a text is looked for that may be of anything. */
export const searchedColumns: readonly Column[] = [
  'event',
  'username',
  'role',
  'address',
  'object',
  'reason',
  'decision',
];

/** @returns whether a part of one of the columns is like the text, whatever the case of the letters */
export function contains(
  on: Pick<Kysely<never>, 'getExecutor'>,
  columns: readonly Column[],
  text: string,
): RawBuilder<boolean> {
  // One text of all columns: to compare them one by one takes up to three times as long. A line feed is in none of them.
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const all = sql`lower(concat_ws(${'\n'}, ${names}))`;
  return isPostgres(on)
    ? sql<boolean>`${all} ~ ${patternOf(text)}`
    : sql<boolean>`${all} GLOB ${globOf(text)}`;
}

/** @returns what `globOf` returns, as a regular expression of PostgreSQL */
function patternOf(text: string): string {
  return Array.from(text, (character) =>
    /[\\^$.|?*+()[\]{}]/.test(character) ? `\\${character}` : onePlace(character),
  ).join('');
}

/**
 * SQLite's `lower` knows the letters of ASCII alone, and so does its `LIKE`. `GLOB` has classes: each other letter becomes one
 * of its cases. What `GLOB` reads as a wildcard becomes a class of itself.
 * @returns the pattern of whatever contains the text, for `lower(…) GLOB …`
 */
export function globOf(text: string): string {
  return `*${Array.from(text, onePlace).join('')}*`;
}

function onePlace(character: string): string {
  if (/[*?[]/.test(character)) return `[${character}]`;
  if (/[\0-\x7f]/.test(character)) return character.toLowerCase();
  const cases = [character, character.toLowerCase(), character.toUpperCase()];
  // Where the other case is several letters (ß), or one that `lower` has changed, there is none for one place.
  const single = new Set(cases.filter((found) => [...found].length === 1 && !/[A-Z]/.test(found)));
  return single.size > 1 ? `[${[...single].join('')}]` : character;
}
