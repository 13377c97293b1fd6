import { locale } from '../text.ts';

/** A list of names, in the style of the language. */
export function listText(items: readonly string[]): string {
  return new Intl.ListFormat(locale).format(items);
}
