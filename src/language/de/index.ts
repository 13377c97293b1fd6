import type { Catalogue } from '../en/index.ts';
import { common } from './common.ts';
import { site } from './site.ts';
import { time } from './time.ts';

/** Every text of the UI in German. */
export const de: Catalogue = { common, site, time };
