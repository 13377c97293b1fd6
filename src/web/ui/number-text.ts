import { locale } from '../text.ts';

/** A number in the format of the language. */
export function numberText(value: number): string {
  return new Intl.NumberFormat(locale).format(value);
}
