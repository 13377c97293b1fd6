import { refusals as de } from './de/refusals.ts';
import { refusals as en, type RefusalTexts } from './en/refusals.ts';
import type { Language } from './language.ts';

/** The texts of the pages of refusals. */
export const refusalTexts: Readonly<Record<Language, RefusalTexts>> = { en, de };
