import levenshtein from 'damerau-levenshtein';

/** @returns the word that was probably meant; undefined: none is near enough */
export function nearestOf(written: string, words: readonly string[]): string | undefined {
  const lower = written.toLowerCase().replaceAll('-', '_');
  const [nearest] = words
    .map((word) => ({ word, slips: levenshtein(lower, word.toLowerCase()).steps }))
    .filter(({ word, slips }) => slips <= mostSlips(word))
    .toSorted((one, other) => one.slips - other.slips);
  return nearest?.word;
}

/** @returns a question to append; empty when none is near enough */
export function meantHint(written: string, words: readonly string[]): string {
  const meant = nearestOf(written, words);
  return meant === undefined ? '' : ` (did you mean ${meant}?)`;
}

/** Wrong, missing, extra or swapped letters that still count as a typo. Short names would match too easily. */
function mostSlips(word: string): number {
  return word.length < 5 ? 1 : 2;
}
