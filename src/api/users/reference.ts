import * as v from 'valibot';
import type { Reference } from '../endpoint.ts';
import { listQuery, newUser, passwordChange, roleChange } from './users.ts';

const user = v.strictObject({ username: v.string(), role: v.string() });
const username = { username: 'Name of a user.' };

export const listUsers: Reference = {
  summary: 'List the users',
  description:
    'Everybody, unless the query says otherwise. `X-Total-Count` of the answer is how many match on all pages.',
  query: listQuery,
  queryParameters: {
    search: 'Part of the name; upper and lower case are the same.',
    role: 'Of this role only.',
    limit: '1 to 500; all without it.',
    after: 'Only names behind this one: the last of another page.',
  },
  answers: { 200: { meaning: 'Users, by name.', body: v.array(user) } },
};

export const countUsers: Reference = {
  summary: 'Count the users of each role',
  answers: {
    200: {
      meaning: 'Roles that somebody has.',
      body: v.strictObject({ by_role: v.record(v.string(), v.number()) }),
    },
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
    'An admin for everybody else; everybody for themselves, with `old_password`. Every session of the user ends; when it is the own one, the answer has the cookie of a new session. The API tokens of the user end too, unless `keep_api_tokens` is `true`.',
  pathParameters: username,
  body: passwordChange,
  bodyExample: { password: 'another horse battery', old_password: 'correct horse battery' },
  answers: {
    200: {
      meaning: 'Changed.',
      body: v.strictObject({
        ...user.entries,
        api_tokens_ended: v.pipe(v.number(), v.description('How many API tokens ended with it.')),
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
    409: { meaning: 'It is the last admin.' },
  },
};

export const removeUser: Reference = {
  summary: 'Remove a user',
  description: "The user's sessions end.",
  pathParameters: username,
  answers: {
    200: { meaning: 'Removed.', body: v.strictObject({}) },
    404: { meaning: 'There is no such user.' },
    409: { meaning: 'It is the last admin.' },
  },
};
