import type { Catalogue } from '../en/index.ts';
import type { Language } from '../language.ts';
import { attention } from './attention.ts';
import { common } from './common.ts';
import { display } from './display.ts';
import { errors } from './errors.ts';
import { site } from './site.ts';
import { time } from './time.ts';

/** Every text of the UI in German. */
export const de: Catalogue = {
  attention,
  common,
  display,
  errors,
  site,
  time,
};

/** What `#catalogue` stands for in the UI that is built in this language. */
export { de as catalogue };
export const language: Language = 'de';
