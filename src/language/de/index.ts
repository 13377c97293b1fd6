import type { Catalogue } from '../en/index.ts';
import type { Language } from '../language.ts';
import { account } from './account.ts';
import { api } from './api.ts';
import { attention } from './attention.ts';
import { common } from './common.ts';
import { configuration } from './configuration.ts';
import { dialogs } from './dialogs.ts';
import { display } from './display.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { home } from './home.ts';
import { lists } from './lists.ts';
import { live } from './live.ts';
import { login } from './login.ts';
import { roles } from './roles.ts';
import { sessions } from './sessions.ts';
import { settings } from './settings.ts';
import { site } from './site.ts';
import { time } from './time.ts';
import { tokens } from './tokens.ts';
import { users } from './users.ts';

/** Every text of the UI in German. */
export const de: Catalogue = {
  account,
  api,
  attention,
  common,
  configuration,
  dialogs,
  display,
  errors,
  events,
  home,
  lists,
  live,
  login,
  roles,
  sessions,
  settings,
  site,
  time,
  tokens,
  users,
};

/** What `#catalogue` stands for in the UI that is built in this language. */
export { de as catalogue };
export const language: Language = 'de';
