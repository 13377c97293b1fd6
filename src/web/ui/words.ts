import { locale } from '../locale.ts';

export { nameText } from '../../language/fill.ts';

let numbers: Intl.NumberFormat | undefined;

/** @param value a count */
export function numberText(value: number): string {
  // Smaller ones have no separator, and creating the first format takes an old phone a tenth of a second.
  if (value < 1000) return String(value);
  numbers ??= new Intl.NumberFormat(locale);
  return numbers.format(value);
}

/** A list of names, in the style of the language. */
export function listText(items: readonly string[]): string {
  return new Intl.ListFormat(locale).format(items);
}

/** @returns whether each word of a search appears in one of the texts, ignoring case */
export function hasWords(search: string, texts: readonly string[]): boolean {
  const whole = texts.join('\n').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}
