import type { Language } from '../language.ts';
import { attention } from './attention.ts';
import { common } from './common.ts';
import { dialogs } from './dialogs.ts';
import { display } from './display.ts';
import { errors } from './errors.ts';
import { home } from './home.ts';
import { lists } from './lists.ts';
import { live } from './live.ts';
import { roles } from './roles.ts';
import { sessions } from './sessions.ts';
import { settings } from './settings.ts';
import { events } from './events.ts';
import { login } from './login.ts';
import { site } from './site.ts';
import { time } from './time.ts';
import { tokens } from './tokens.ts';
import { users } from './users.ts';

/** Every text of the UI in English; another language has the same keys. */
export const en = {
  attention,
  common,
  dialogs,
  display,
  errors,
  home,
  lists,
  live,
  roles,
  sessions,
  settings,
  events,
  login,
  site,
  time,
  tokens,
  users,
};

export type Catalogue = typeof en;

/** What `#catalogue` stands for in the UI that is built in this language. */
export { en as catalogue };
export const language: Language = 'en';
