import * as v from 'valibot';
import { newUser, passwordChange, roleChange } from '../../src/api/users.ts';
import { cameraList } from '../../src/api/roles.ts';
import { credentials } from '../../src/api/login.ts';
import { question } from '../../src/api/explain.ts';
import { roleName as configuredRoleName } from '../../src/config/values.ts';
import { unverifiedReasons, type UnverifiedReason } from '../../src/recorder/recorder-role.ts';
import type { Operation } from './operation.ts';

const cameras = v.pipe(v.array(v.string()), v.description('Cameras that there are and the role covers.'));
const profile = v.strictObject({ username: v.string(), role: v.string(), allowed_cameras: cameras });
const user = v.strictObject({ username: v.string(), role: v.string() });
const role = v.strictObject({ name: v.string(), cameras: v.array(v.string()) });
const listedRole = v.strictObject({
  ...role.entries,
  recorder: v.pipe(
    v.picklist(['verified', 'unverified']),
    v.description(
      'Whether it is verified that the recorder shows the role nothing but its cameras. Lists that name no cameras are closed to it otherwise.',
    ),
  ),
  recorder_reason: v.optional(
    v.pipe(
      v.picklist(Object.keys(unverifiedReasons) as UnverifiedReason[]),
      v.description('Why it is not verified; docs/custom-roles.md says what to do.'),
    ),
  ),
});
const username = { username: 'Name of a user.' };
const roleName = { name: 'Name of a custom role.' };
const customRole = {
  name: v.pipe(configuredRoleName, v.metadata({ not: { enum: ['admin', 'viewer'] } })),
};

export const sessionOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/login',
    tag: 'Login',
    summary: 'What a login page has to know',
    audience: 'anybody',
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
        }),
      },
    },
  },
  {
    method: 'post',
    path: '/api/login',
    tag: 'Login',
    summary: 'Log in',
    description:
      'The token in the cookie is good as `Authorization: Bearer` too. A refusal is the same, in the same time, whether there is such a user or not.',
    audience: 'anybody',
    body: credentials,
    bodyExample: { user: 'olaf', password: 'correct horse battery' },
    answers: {
      200: { meaning: 'Logged in; `Set-Cookie` has the session token.', body: profile },
      401: { meaning: 'User and password do not fit.' },
      404: { meaning: '`auth.enabled` is `false`: an upstream proxy logs users in.' },
      429: {
        meaning:
          'Too many failures from this address, or too many logins at once; `Retry-After` says seconds.',
      },
    },
  },
  ...(['get', 'post'] as const).map((method): Operation => ({
    method,
    path: '/api/logout',
    tag: 'Login',
    summary: method === 'get' ? 'Log out, by a link' : 'Log out, by a form or a program',
    audience: 'anybody',
    answers: {
      303: { meaning: 'The session has ended; `Location` is `logout_url` or the login.' },
      503: {
        meaning:
          'The cookie is cleared, but the session could not be ended, and is good until it expires: the store cannot be written.',
      },
    },
  })),
  {
    method: 'get',
    path: '/api/profile',
    tag: 'Login',
    summary: 'Who is asking',
    audience: 'any user',
    answers: { 200: { meaning: 'The user, as the gate sees it now.', body: profile } },
  },
  {
    method: 'get',
    path: '/api/cameras',
    tag: 'Login',
    summary: 'Cameras that the user may see',
    audience: 'any user',
    answers: { 200: { meaning: 'Their names.', body: cameras } },
  },
];

export const userOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/users',
    tag: 'Users',
    summary: 'List the users',
    audience: 'admin',
    answers: { 200: { meaning: 'Every user, by name.', body: v.array(user) } },
  },
  {
    method: 'post',
    path: '/api/users',
    tag: 'Users',
    summary: 'Add a user',
    audience: 'admin',
    body: newUser,
    bodyExample: { username: 'olaf', password: 'correct horse battery', role: 'viewer' },
    answers: {
      201: { meaning: 'Added.', body: user },
      409: { meaning: 'There is a user of this name.' },
    },
  },
  {
    method: 'put',
    path: '/api/users/{username}/password',
    tag: 'Users',
    summary: 'Change a password',
    description:
      'An admin for anybody; others for themselves, with `old_password`. Every session of the user ends; when it is the own one, the answer has the cookie of a new session. The API tokens of the user end too, unless `keep_api_tokens` is `true`.',
    audience: 'any user',
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
      404: { meaning: 'There is no such user.' },
      429: {
        meaning:
          'Too many wrong old passwords from this address, or 60 changes of the own one within an hour.',
      },
    },
  },
  {
    method: 'put',
    path: '/api/users/{username}/role',
    tag: 'Users',
    summary: 'Give a user another role',
    description: "The user's sessions end.",
    audience: 'admin',
    pathParameters: username,
    body: roleChange,
    bodyExample: { role: 'viewer' },
    answers: {
      200: { meaning: 'Changed.', body: user },
      404: { meaning: 'There is no such user.' },
      409: { meaning: 'It is the last admin.' },
    },
  },
  {
    method: 'delete',
    path: '/api/users/{username}',
    tag: 'Users',
    summary: 'Remove a user',
    description: "The user's sessions end.",
    audience: 'admin',
    pathParameters: username,
    answers: {
      200: { meaning: 'Removed.', body: v.strictObject({}) },
      404: { meaning: 'There is no such user.' },
      409: { meaning: 'It is the last admin.' },
    },
  },
];

export const roleOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/roles',
    tag: 'Roles',
    summary: 'List the custom roles',
    description: 'Admin and viewer see all of them, a custom role its own.',
    audience: 'any user',
    answers: { 200: { meaning: 'In the order of `auth.roles`.', body: v.array(listedRole) } },
  },
  {
    method: 'put',
    path: '/api/roles/{name}',
    tag: 'Roles',
    summary: 'Define a custom role, or change its cameras',
    description: 'Writes `auth.roles` in `config.yml` and keeps its comments.',
    audience: 'admin',
    pathParameters: roleName,
    pathForms: customRole,
    body: cameraList,
    bodyExample: { cameras: ['driveway', 'front_door'] },
    answers: {
      200: { meaning: 'In force.', body: role },
      409: { meaning: 'The file cannot be written.' },
    },
  },
  {
    method: 'delete',
    path: '/api/roles/{name}',
    tag: 'Roles',
    summary: 'Remove a custom role',
    description: 'Its users become `viewer`.',
    audience: 'admin',
    pathParameters: roleName,
    pathForms: customRole,
    answers: {
      200: {
        meaning: 'Removed.',
        body: v.strictObject({
          name: v.string(),
          reassigned_users: v.pipe(v.number(), v.description('How many users are `viewer` now.')),
        }),
      },
      404: { meaning: 'There is no such role.' },
      409: { meaning: 'The file cannot be written.' },
    },
  },
];

export const explainOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/api/explain',
    tag: 'Decisions',
    summary: 'Why a request was decided as it was, or would be',
    description:
      'By the id of a decision (`x-postern-decision`, and `decision` in the log), or for a request that nobody has made.',
    audience: 'admin',
    body: question,
    bodyExample: { role: 'neighbour', method: 'GET', uri: '/api/garage/latest.jpg' },
    answers: {
      200: {
        meaning: 'The verdict and what led to it.',
        body: v.strictObject({
          decision: v.optional(v.string()),
          verdict: v.picklist(['allow', 'unauthenticated', 'forbidden']),
          reason: v.string(),
          steps: v.array(v.strictObject({ step: v.string(), says: v.string() })),
        }),
      },
      404: { meaning: 'There is no such decision any more, or no such user.' },
    },
  },
];
