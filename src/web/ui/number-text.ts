import { locale } from '../text.ts';

/** A number as the language writes it. */
export function numberText(value: number): string {
  return new Intl.NumberFormat(locale).format(value);
}
