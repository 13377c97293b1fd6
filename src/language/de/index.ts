import type { Catalogue } from '../en/index.ts';
import type { Language } from '../language.ts';
import * as sections from './sections.ts';

/** Every text of the UI in German. */
export const de: Catalogue = sections;

/** What `#catalogue` stands for in the UI that is built in this language: each section is where it is used. */
export * as catalogue from './sections.ts';
export const language: Language = 'de';
