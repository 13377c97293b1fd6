import * as v from 'valibot';
import type { Reference } from '../endpoint.ts';
import { endedCounts } from '../kept.ts';
import { blocking, detailsQuery } from './user-details.ts';
import { listQuery, newUser, passwordChange, roleChange } from './users.ts';

const user = v.strictObject({ username: v.string(), role: v.string() });
const username = { username: 'Name of a user.' };

const listParameters = {
  search: 'Part of the name; upper and lower case are the same.',
  role: 'Of this role only.',
  limit: '1 to 500; all without it.',
  after: 'Only names behind this one: the last of another page.',
};
const ofProvider = 'The user is a person of a provider, which says the role and has the password.';

export const listUsers: Reference = {
  summary: 'List the users',
  description:
    'Everybody, unless the query says otherwise. `X-Total-Count` of the answer is how many match on all pages.',
  query: listQuery,
  queryParameters: listParameters,
  answers: { 200: { meaning: 'Users, by name.', body: v.array(user) } },
};

const provider = {
  provider: v.pipe(
    v.nullable(v.string()),
    v.description('Issuer of the provider whose person it is; null: an account of the gate.'),
  ),
  provider_label: v.pipe(
    v.nullable(v.string()),
    v.description('`auth.oidc.label`; null: `auth.oidc` does not name the provider any more.'),
  ),
};

export const listUserDetails: Reference = {
  operationId: 'get_api_user_details',
  summary: 'List the users, with everything that is known of them',
  description:
    'Everybody, unless the query says otherwise. `X-Total-Count` of the answer is how many match on all pages.',
  query: detailsQuery,
  queryParameters: {
    ...listParameters,
    provider: 'People of this provider, by its issuer; `none`: accounts of the gate.',
    blocked: '`true`: whom somebody keeps out; `false`: the others.',
  },
  answers: {
    200: {
      meaning: 'Users, by name.',
      body: v.array(
        v.strictObject({
          ...user.entries,
          ...provider,
          role_reason: v.pipe(
            v.nullable(v.string()),
            v.description(
              'Why a person of a provider has the role: `group NAME`, `default_role`, or `role_removed`, when an admin removed the role.',
            ),
          ),
          last_login: v.pipe(
            v.nullable(v.number()),
            v.description('Seconds since the epoch; null: nobody knows.'),
          ),
          blocked: v.pipe(
            v.nullable(v.picklist(['admin', 'provider'])),
            v.description('Who keeps the user out; null: nobody.'),
          ),
          second_factors: v.array(v.picklist(['passkey', 'one_time_code'])),
        }),
      ),
    },
  },
};

export const countUsers: Reference = {
  summary: 'Count the users of each role and provider',
  answers: {
    200: {
      meaning: 'How many users there are.',
      body: v.strictObject({
        by_role: v.pipe(v.record(v.string(), v.number()), v.description('Roles that somebody has.')),
        by_provider: v.pipe(
          v.array(v.strictObject({ ...provider, provider: v.string(), count: v.number() })),
          v.description('Providers of which there are people.'),
        ),
        blocked: v.number(),
        active_admins: v.pipe(
          v.number(),
          v.description('Admins whom nobody blocks. The last of them can go in no way.'),
        ),
      }),
    },
  },
};

export const blockUser: Reference = {
  summary: 'Block a user, or let a user in again',
  description:
    'Of a blocked user no login, session or API token is good. The sessions end at once; the API tokens are good again after. Whom the provider keeps out (`blocked` is `provider`), nobody lets in here.',
  pathParameters: username,
  body: blocking,
  bodyExample: { blocked: true },
  answers: {
    200: {
      meaning: 'It is so now, whether it was before or not.',
      body: v.strictObject({ ...user.entries, blocked: v.boolean() }),
    },
    404: { meaning: 'There is no such user.' },
    409: { meaning: 'It is the last admin, or the provider keeps the person out.' },
  },
};

export const addUser: Reference = {
  summary: 'Add a user',
  body: newUser,
  bodyExample: { username: 'olaf', password: 'correct horse battery', role: 'viewer' },
  answers: {
    201: { meaning: 'Added.', body: user },
    409: { meaning: 'There is a user of this name.' },
  },
};

export const changePassword: Reference = {
  summary: 'Change a password',
  description:
    'An admin for everybody else; everybody for themselves, with `old_password`. Every session of the user ends; when it is the own one, the answer has the cookie of a new session. The API tokens and shares of the user end too, but for those that `keep` names. For someone without a second factor, `old_password` is the proof that step-up asks for.',
  pathParameters: username,
  body: passwordChange,
  bodyExample: { password: 'another horse battery', old_password: 'correct horse battery' },
  answers: {
    200: {
      meaning: 'Changed.',
      body: v.strictObject({
        ...user.entries,
        ...endedCounts,
      }),
    },
    403: { meaning: 'The old password is wrong, or the role may not do this.' },
    404: { meaning: 'There is no such user.' },
    422: {
      meaning: 'Something is wrong with the body, or it is the own password and the old one is missing.',
    },
    429: {
      meaning: 'Too many wrong old passwords from this address, or 60 changes of the own one within an hour.',
    },
  },
};

export const changeRole: Reference = {
  summary: 'Give a user another role',
  description: "The user's sessions end.",
  pathParameters: username,
  body: roleChange,
  bodyExample: { role: 'viewer' },
  answers: {
    200: { meaning: 'Changed.', body: user },
    404: { meaning: 'There is no such user.' },
    409: { meaning: `It is the last admin. Or: ${ofProvider}` },
  },
};

export const removeUser: Reference = {
  summary: 'Remove a user',
  description:
    "The user's sessions end. The next login of a person of a provider makes the user anew: to keep somebody out, block them.",
  pathParameters: username,
  answers: {
    200: { meaning: 'Removed.', body: v.strictObject({}) },
    404: { meaning: 'There is no such user.' },
    409: { meaning: 'It is the last admin.' },
  },
};
