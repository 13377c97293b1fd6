import type { Language } from './language.ts';

/** A text for each kind of count that its language tells apart (`Intl.PluralRules`). */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

type Values = Readonly<Record<string, string | number>>;

/** Writes values in place of `{name}`. They are not read again: a camera may be called `{user}`, or `$&`. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

/** @returns the text for a count, which is its `{n}` */
export function fillCounted(forms: Forms, count: number, language: Language, values: Values = {}): string {
  const rule = new Intl.PluralRules(language).select(count);
  return fill(forms[rule] ?? forms.other, { n: count, ...values });
}
