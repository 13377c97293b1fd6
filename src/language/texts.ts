import german from '../web/locales/de.json' with { type: 'json' };
import english from '../web/locales/en.json' with { type: 'json' };
import type { Language } from './language.ts';

/** Every text that people read; another language has the same keys. */
export type Texts = typeof english;

/** Texts that the server writes into its answers: the UI loads none of them. */
export const serverSections = ['pairScreen', 'reasons', 'refusals', 'steps', 'wall'] as const;

export type UiTexts = Omit<Texts, (typeof serverSections)[number]>;

export const texts: Readonly<Record<Language, Texts>> = { en: english, de: german };
