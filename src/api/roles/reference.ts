import * as v from 'valibot';
import { roleName as configuredRoleName } from '../../config/values.ts';
import { unverifiedReasons, type UnverifiedReason } from '../../recorder/recorder-role.ts';
import type { Reference } from '../endpoint.ts';
import { cameraList } from './roles.ts';

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
const roleName = { name: 'Name of a custom role.' };
const customRole = {
  name: v.pipe(configuredRoleName, v.metadata({ not: { enum: ['admin', 'viewer'] } })),
};

export const listRoles: Reference = {
  summary: 'List the custom roles',
  description: 'Admin and viewer see all of them, a custom role its own.',
  answers: { 200: { meaning: 'In the order of `auth.roles`.', body: v.array(listedRole) } },
};

export const defineRole: Reference = {
  summary: 'Define a custom role, or change its cameras',
  description: 'Writes `auth.roles` in `config.yml` and keeps its comments.',
  pathParameters: roleName,
  pathForms: customRole,
  body: cameraList,
  bodyExample: { cameras: ['driveway', 'front_door'] },
  answers: {
    200: { meaning: 'It applies from now on.', body: role },
    409: { meaning: 'The file cannot be written.' },
  },
};

export const removeRole: Reference = {
  summary: 'Remove a custom role',
  description: 'Its users become `viewer`.',
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
};
