import type { BaseIssue } from 'valibot';
import { typeOf, type Problem } from './problem.ts';
import levenshtein from 'damerau-levenshtein';

/** Words of YAML 1.1 that are text in YAML 1.2. */
const yes: ReadonlySet<string> = new Set(['yes', 'y', 'on', 'enabled', '1']);
const no: ReadonlySet<string> = new Set(['no', 'n', 'off', 'disabled', '0']);

/**
 * Describes a value that its schema refuses. It repeats the value only where few words are allowed: that is no secret, and
 * shows the typo.
 */
export function describeWrongValue(
  issue: Pick<BaseIssue<unknown>, 'expected' | 'input' | 'message'>,
): Omit<Problem, 'path'> {
  const words = wordsOf(issue.expected ?? '');
  const written = issue.input;
  const name = unquotedPlaceholder(written);
  if (name !== undefined)
    return { found: `{${name}} without quotation marks, which is a map`, allowed: `"{${name}}"` };
  const isWord = typeof written === 'string' && /^[\w .+-]{1,32}$/.test(written);
  if (words.length === 0 || !isWord) return { found: typeOf(issue.input), allowed: issue.message };
  const meant = wordFor(written, words);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  return { found: JSON.stringify(written), allowed: issue.message + hint };
}

/** @returns the name in `{SERVICE_NAME}` or `{FRIGATE_NAME}`, which YAML reads as a map when it stands without quotation marks */
function unquotedPlaceholder(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const [entry, ...others] = Object.entries(value);
  if (entry === undefined || others.length > 0 || entry[1] !== null) return undefined;
  return /^(?:SERVICE|FRIGATE)_\w+$/.test(entry[0]) ? entry[0] : undefined;
}

/** @param expected such as `boolean`, or `("live" | "history")` */
function wordsOf(expected: string): readonly string[] {
  const words = [...expected.matchAll(/"([^"]+)"/g)].flatMap(([, word]) => word ?? []);
  return /\bboolean\b/.test(expected) ? ['true', 'false', ...words] : words;
}

function wordFor(written: string, words: readonly string[]): string | undefined {
  const lower = written.toLowerCase();
  if (words.includes('true') && yes.has(lower)) return 'true';
  if (words.includes('false') && no.has(lower)) return 'false';
  return nearestOf(written, words);
}

/** @param allowed names the keys of the map that the unknown one stands in */
export function describeUnknownKey(path: readonly string[], allowed: string): Omit<Problem, 'path'> {
  const nearest = nearestOf(path.at(-1) ?? '', allowed.match(/[a-z_]{2,}/g) ?? []);
  const meant = nearest === undefined ? undefined : [...path.slice(0, -1), nearest].join('.');
  return {
    found: 'an unknown key',
    allowed: meant === undefined ? allowed : `${meant} (did you mean that?)`,
  };
}

/** @returns the word that was probably meant; `undefined` if none is near enough */
export function nearestOf(written: string, words: readonly string[]): string | undefined {
  const lower = written.toLowerCase().replaceAll('-', '_');
  const [nearest] = words
    .map((word) => ({ word, slips: slipsBetween(lower, word.toLowerCase(), mostSlips(word)) }))
    .filter(({ slips }) => slips !== undefined)
    .toSorted((one, other) => (one.slips ?? 0) - (other.slips ?? 0));
  return nearest?.word;
}

/**
 * Counts wrong, missing, extra or swapped letters. Texts of very different lengths are not compared: that would take minutes for a text
 * of thousands of letters.
 * @returns `undefined` for more than `most`
 */
export function slipsBetween(one: string, other: string, most: number): number | undefined {
  if (Math.abs(one.length - other.length) > most) return undefined;
  const { steps } = levenshtein(one, other);
  return steps <= most ? steps : undefined;
}

/** @returns a question to append; empty when none is near enough */
export function meantHint(written: string, words: readonly string[]): string {
  const meant = nearestOf(written, words);
  return meant === undefined ? '' : ` (did you mean ${meant}?)`;
}

/** The slips that still count as a typo. Short names would match too easily. */
function mostSlips(word: string): number {
  return word.length < 5 ? 1 : 2;
}
