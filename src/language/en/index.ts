import { common } from './common.ts';
import { site } from './site.ts';
import { time } from './time.ts';

/** Every text of the UI in English; another language has the same keys. */
export const en = { common, site, time };

export type Catalogue = typeof en;
