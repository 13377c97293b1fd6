import { fillCounted, type Forms } from '../language/fill.ts';
import type { UiTexts } from '../language/texts.ts';
import { language, locale } from './locale.ts';
import english from './locales/en.json' with { type: 'json' };

export { fill } from '../language/fill.ts';
export { language, locale };

/** English comes with the first script, another language in a file of its own. */
const others = { de: () => import('./locales/de.json') };

/** The texts in the page's language. */
export const text: UiTexts = language === 'en' ? english : (await others[language]()).default;

/** @returns the text for a count, which is its `{n}` */
export function plural(
  forms: Forms,
  count: number,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return fillCounted(forms, count, language, { n: new Intl.NumberFormat(locale).format(count), ...values });
}
