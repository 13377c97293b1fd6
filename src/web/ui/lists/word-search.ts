/** @returns whether each word of a search appears in one of the texts, ignoring case */
export function hasWords(search: string, texts: readonly string[]): boolean {
  const whole = texts.join('\n').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}
