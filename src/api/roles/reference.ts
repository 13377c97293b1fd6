import * as v from 'valibot';
import { roleName as configuredRoleName } from '../../config/values.ts';
import { unverifiedReasons, type UnverifiedReason } from '../../recorder/recorder-role.ts';
import type { Reference } from '../endpoint.ts';
import { removal, roleAccess, window } from './roles.ts';

const role = v.strictObject({ name: v.string(), cameras: v.array(v.string()), window });
const listedRole = v.strictObject({
  ...role.entries,
  declared: v.optional(
    v.pipe(
      v.literal(true),
      v.description(
        'With `store.url`: the role stands in `auth.roles` of `config.yml`, which every gate has, and can be changed there alone.',
      ),
    ),
  ),
  hides_stored: v.optional(
    v.pipe(
      v.literal(true),
      v.description('A role of this name was made in the UI, too; the declared one counts.'),
    ),
  ),
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
const roleName = { name: 'Name of a custom role.' };
const customRole = {
  name: v.pipe(configuredRoleName, v.metadata({ not: { enum: ['admin', 'viewer', 'none', '.', '..'] } })),
};

export const listRoles: Reference = {
  summary: 'List the custom roles',
  description: 'Admin and viewer see all of them, a custom role its own.',
  answers: {
    200: {
      meaning:
        'In the order in which they win over each other: that of `auth.roles`, and with `store.url` behind those the ones that were made in the UI, as they were made.',
      body: v.array(listedRole),
    },
  },
};

export const defineRole: Reference = {
  summary: 'Define a custom role, or change its cameras or window',
  description:
    'A `window` of null makes the role good at all times; without a word, its window stays as it is. Writes `auth.roles` and `auth.role_windows` in `config.yml` and keeps its comments. With `store.url` it writes to the store, for all gates, and roles that `config.yml` declares are not changed.',
  pathParameters: roleName,
  pathForms: customRole,
  body: roleAccess,
  bodyExample: {
    cameras: ['driveway', 'front_door'],
    window: { from: '2026-12-20', until: '2027-01-05', hours: '07:00-19:00' },
  },
  answers: {
    200: { meaning: 'It applies from now on.', body: role },
    409: {
      meaning: 'The file cannot be written; with `store.url`: the role stands in it (`role_declared`).',
    },
  },
};

export const removeRole: Reference = {
  summary: 'Remove a custom role',
  description: 'Its users get another role, in the same transaction, and their sessions end.',
  pathParameters: roleName,
  query: removal,
  queryParameters: { reassign_to: 'The role that they get.' },
  pathForms: customRole,
  answers: {
    200: {
      meaning: 'Removed.',
      body: v.strictObject({
        name: v.string(),
        reassigned_users: v.pipe(v.number(), v.description('How many users have another role now.')),
      }),
    },
    404: { meaning: 'There is no such role.' },
    409: { meaning: 'As for `PUT`.' },
  },
};
