import type { Language } from '../language.ts';
import { attention } from './attention.ts';
import { common } from './common.ts';
import { display } from './display.ts';
import { errors } from './errors.ts';
import { site } from './site.ts';
import { time } from './time.ts';

/** Every text of the UI in English; another language has the same keys. */
export const en = {
  attention,
  common,
  display,
  errors,
  site,
  time,
};

export type Catalogue = typeof en;

/** What `#catalogue` stands for in the UI that is built in this language. */
export { en as catalogue };
export const language: Language = 'en';
