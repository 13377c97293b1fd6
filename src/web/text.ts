import { fillCounted, type Forms } from '../language/fill.ts';
import type { UiTexts } from '../language/texts.ts';
import { language, locale } from './locale.ts';
import { numberText } from './ui/words.ts';

export { fill } from '../language/fill.ts';
export { language, locale };

/** Each language is a file of its own, which the page names beside its script. */
const locales = { en: () => import('./locales/en.json'), de: () => import('./locales/de.json') };

/** The texts in the page's language. */
export const text: UiTexts = (await locales[language]()).default;

/** @returns the text for a count, which is its `{n}` */
export function plural(
  forms: Forms,
  count: number,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return fillCounted(forms, count, language, { n: numberText(count), ...values });
}
