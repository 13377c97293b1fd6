import type { Language } from './language.ts';

/** A text for each kind of count that its language tells apart (`Intl.PluralRules`). */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

type Values = Readonly<Record<string, string | number>>;

/** Writes values in place of `{name}`. They are not read again: a camera may be called `{user}`, or `$&`. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

// Creating one takes longer than using it a hundred times.
const pluralRules: Partial<Record<Language, Intl.PluralRules>> = {};

/** @returns the text for a count, which is its `{n}` */
export function fillCounted(forms: Forms, count: number, language: Language, values: Values = {}): string {
  const rules = (pluralRules[language] ??= new Intl.PluralRules(language));
  const rule = rules.select(count);
  return fill(forms[rule] ?? forms.other, { n: count, ...values });
}

export const locales = { en: 'en-GB', de: 'de-DE' } as const satisfies Record<Language, string>;

/**
 * A day and a time in a time zone, such as `Friday 27 November, 00:00`; with the year unless it is this one.
 * @param at milliseconds since the epoch
 */
export function dayAndTime(at: number, now: number, zone: string, language: Language): string {
  return `${dayOf(at, now, zone, language)}, ${timeOf(at, zone, language)}`;
}

/** As `dayAndTime`, of an end: midnight is written as the day before. */
export function lastMoment(at: number, now: number, zone: string, language: Language): string {
  return timeOf(at, zone, language) === '00:00'
    ? dayOf(at - 1, now, zone, language)
    : dayAndTime(at, now, zone, language);
}

function dayOf(at: number, now: number, zone: string, language: Language): string {
  const yearOf = (time: number) =>
    new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: zone }).format(time);
  return new Intl.DateTimeFormat(locales[language], {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(yearOf(at) === yearOf(now) ? {} : { year: 'numeric' }),
    timeZone: zone,
  }).format(at);
}

/** Only the time, such as `22:14`. */
export function timeOf(at: number, zone: string, language: Language): string {
  const format = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone } as const;
  return new Intl.DateTimeFormat(locales[language], format).format(at);
}

/** More names would not be read. */
const mostNames = 4;

/**
 * Names what someone can see, such as `You can see Front door and Driveway.`
 * @param names of cameras
 * @returns undefined for none
 */
export function canSee(
  names: readonly string[],
  texts: { readonly canSee: string; readonly more: string },
  locale: string,
): string | undefined {
  if (names.length === 0) return undefined;
  const named = names.length <= mostNames ? names : names.slice(0, mostNames - 1);
  const more = names.length - named.length;
  const items = more === 0 ? named : [...named, fill(texts.more, { n: more })];
  return fill(texts.canSee, { cameras: new Intl.ListFormat(locale).format(items) });
}

/** `front_door` as text. */
export function nameText(name: string): string {
  const words = name.replace(/_/g, ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
