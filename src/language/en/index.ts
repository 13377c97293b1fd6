import type { Language } from '../language.ts';
import * as sections from './sections.ts';

/** Every text of the UI in English; another language has the same keys. */
export type Catalogue = typeof sections;
export const en: Catalogue = sections;

/** What `#catalogue` stands for in the UI that is built in this language: each section is where it is used. */
export * as catalogue from './sections.ts';
export const language: Language = 'en';
