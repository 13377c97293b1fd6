import * as v from 'valibot';
import type { Reference } from '../endpoint.ts';
import { profile } from '../profile/reference.ts';
import { credentials } from './login.ts';

export const loginMethods: Reference = {
  summary: 'What a login page has to know',
  answers: {
    200: {
      meaning: 'How this gate logs in.',
      body: v.strictObject({
        enabled: v.pipe(v.boolean(), v.description('Whether the gate has accounts of its own.')),
        generated_password_unused: v.pipe(
          v.boolean(),
          v.description('Whether nobody has logged in yet with the password that the log has told.'),
        ),
        return_domains: v.pipe(
          v.array(v.string()),
          v.description('To whose pages, besides this site, a login may lead back.'),
        ),
        passkeys: v.pipe(
          v.boolean(),
          v.description('Whether there can be passkeys, which need `public_url`.'),
        ),
        provider: v.nullable(
          v.strictObject({
            label: v.pipe(v.string(), v.description('What people call the provider.')),
            automatic: v.pipe(v.boolean(), v.description('Whether `/login` leads straight there.')),
          }),
        ),
        local_login: v.pipe(
          v.boolean(),
          v.description('Whether the page shows its form to whoever does not ask for it (`/login?local`).'),
        ),
        contact: v.pipe(
          v.nullable(v.string()),
          v.description(
            'Whom to ask: a text, a `mailto:` or an https address; `contact` in the configuration.',
          ),
        ),
      }),
    },
  },
};

export const logIn: Reference = {
  summary: 'Log in',
  description:
    'The token in the cookie is good as `Authorization: Bearer` too. A refusal is the same, in the same time, whether there is such a user or not.',
  body: credentials,
  bodyExample: { user: 'olaf', password: 'correct horse battery' },
  answers: {
    200: {
      meaning: 'Logged in; `Set-Cookie` has the session token.',
      body: v.strictObject({
        ...profile.entries,
        second_factor: v.optional(
          v.pipe(
            v.literal('set_up'),
            v.description('The role needs a second factor: until there is one, nothing else is open.'),
          ),
        ),
      }),
    },
    401: {
      meaning:
        'User and password do not fit. Or they do, and `code` is `second_factor_needed`: `POST /postern/api/login/second-factor` ends the login with `challenge`, by one of `methods` (`passkey`, `one_time_code`, `recovery_code`).',
    },
    404: { meaning: '`auth.enabled` is `false`: an upstream proxy logs users in.' },
    429: {
      meaning: 'Too many failures from this address, or too many logins at once; `Retry-After` says seconds.',
    },
  },
};

const logout = {
  audience: 'anybody',
  answers: {
    303: { meaning: 'The session has ended; `Location` is `logout_url` or the login.' },
    503: {
      meaning:
        'The cookie is cleared, but the session could not be ended, and is good until it expires: the store cannot be written.',
    },
  },
} as const;

export const logOutByLink: Reference = { ...logout, summary: 'Log out, by a link' };
export const logOut: Reference = {
  ...logout,
  summary: 'Log out, by a form or a program',
  queryParameters: { next: 'A path of this site: somebody else logs in, and goes on there.' },
  query: v.object({ next: v.optional(v.string()) }),
};
