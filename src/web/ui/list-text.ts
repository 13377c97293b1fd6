import { locale } from '../text.ts';

/** Names one after the other, as the language lists them. */
export function listText(items: readonly string[]): string {
  return new Intl.ListFormat(locale).format(items);
}
