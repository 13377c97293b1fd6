import * as v from 'valibot';
import type { CustomRoleChanges } from '../../identity/roles/custom-roles.ts';
import type { RoleDefinitions } from '../../identity/roles/role-definitions.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { ConfigurationError } from '../../config/problem.ts';
import { roleWindow } from '../../config/role-window.ts';
import { roleName as configuredRoleName } from '../../config/values.ts';
import { AppError } from '../../errors.ts';
import { isDefinedRole } from '../../policy/grant.ts';
import { isBuiltIn, isNoRole, isRoleName } from '../../policy/names.ts';
import type { RoleWindow } from '../../policy/role-window.ts';
import { unverifiedReasons, type RecorderRole, type UnverifiedReason } from '../../recorder/recorder-role.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { invalid } from '../../http/validation.ts';
import { actorOf } from '../actor.ts';
import { endpoint } from '../endpoint.ts';
import { permitIf } from '../permit.ts';
import { stepUpNeeded } from '../require-step-up.ts';

const window = v.pipe(
  v.nullable(roleWindow),
  v.description(
    'When the role is good, in the time zone of the gate: `auth.role_windows` of config.yml says what the keys mean. Null: always.',
  ),
);

const roleAccess = v.object({
  cameras: v.array(
    v.pipe(v.string('Input should be text'), v.nonEmpty('A camera has a name')),
    'Input should be a list',
  ),
  window: v.optional(window),
});

const removal = v.object({ reassign_to: v.optional(v.string(), 'viewer') });

const role = v.strictObject({ name: v.string(), cameras: v.array(v.string()), window });
const roleInList = v.strictObject({
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

export interface RolesDependencies {
  readonly settings: Settings;
  readonly customRoles: CustomRoleChanges;
  readonly roleDefinitions: RoleDefinitions;
  /** Makes sure that they are those of this moment. @throws AppError `store_unavailable` */
  readonly requireCurrentRoles: () => Promise<void>;
  readonly audit: Pick<AuditLog, 'record'>;
}

/* Custom roles, kept in config.yml, or in a store that several processes share. */

export const listRoles = endpoint({
  method: 'get',
  path: '/postern/api/roles',
  level: 'any',
  tag: 'Roles',
  summary: 'List the custom roles',
  description: 'Admin and viewer see all of them, a custom role its own.',
  answers: {
    200: {
      meaning:
        'In the order in which they win over each other: that of `auth.roles`, and with `store.url` behind those the ones that were made in the UI, as they were made.',
      body: v.array(roleInList),
    },
  },
  handle:
    ({ settings, roleDefinitions, requireCurrentRoles }: RolesDependencies) =>
    async (c) => {
      await requireCurrentRoles();
      const { identity, grant } = c.var.allowed;
      const roles = [...settings.rules.customRoles].map(([name, cameras]) =>
        listedRole(
          { name, cameras: [...cameras], window: windowOf(name, settings) },
          settings.roleAtRecorder(name),
          roleDefinitions,
        ),
      );
      return grant === 'all' ? roles : roles.filter(({ name }) => name === identity?.role);
    },
});

export const defineRole = endpoint({
  method: 'put',
  path: '/postern/api/roles/:name',
  level: 'admin-only',
  tag: 'Roles',
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
  handle:
    ({ settings, customRoles, audit }: RolesDependencies) =>
    async (c) => {
      const name = customRoleName(c.req.param('name'));
      const { cameras: listed, window } = c.req.valid('json');
      const cameras = [...new Set(listed)];
      await validChange(customRoles.set(name, { cameras, window }, c.var.permit));
      const detail = { cameras, ...(window === undefined ? {} : { window: inWords(window) }) };
      await audit.record({ event: 'role_defined', ...actorOf(c, settings), object: name, detail });
      return { name, cameras, window: window === undefined ? windowOf(name, settings) : window };
    },
});

export const removeRole = endpoint({
  method: 'delete',
  path: '/postern/api/roles/:name',
  level: 'admin-only',
  // It gives the users of the role another one.
  requiresSession: true,
  tag: 'Roles',
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
    403: stepUpNeeded,
    404: { meaning: 'There is no such role.' },
    409: { meaning: 'As for `PUT`.' },
  },
  handle:
    ({ settings, customRoles, audit }: RolesDependencies) =>
    async (c) => {
      const name = customRoleName(c.req.param('name'));
      const { reassign_to: successor } = c.req.valid('query');
      const permit = permitIf(c.var.permit, ({ rules }) => {
        if (!rules.customRoles.has(name)) throw new AppError('role_unknown');
        if (successor === name || !isDefinedRole(successor, rules.customRoles))
          throw invalid(['query', 'reassign_to'], 'There is no such role');
      });
      const reassigned = await validChange(customRoles.remove(name, successor, permit));
      const detail = { reassigned, ...(successor === 'viewer' ? {} : { reassign_to: successor }) };
      await audit.record({ event: 'role_removed', ...actorOf(c, settings), object: name, detail });
      return { name, reassigned_users: reassigned };
    },
});

function windowOf(role: string, { roleWindows }: Settings): RoleWindow | null {
  return roleWindows.get(role) ?? null;
}

async function validChange<T>(changed: Promise<T>): Promise<T> {
  try {
    return await changed;
  } catch (error) {
    if (error instanceof ConfigurationError) throw invalid(['body', 'cameras'], error.message);
    throw error;
  }
}

/** Where it is defined, when that is not where the gate writes. */
function placeOf(
  name: string,
  { isFixed, hidden }: RoleDefinitions,
): { readonly declared?: true; readonly hides_stored?: true } {
  if (!isFixed(name)) return {};
  return hidden.has(name) ? { declared: true, hides_stored: true } : { declared: true };
}

/** It says whether lists that name no cameras are open to the role, and if not, why. */
function listedRole(
  role: { readonly name: string; readonly cameras: readonly string[]; readonly window: RoleWindow | null },
  found: RecorderRole,
  definitions: RoleDefinitions,
) {
  const place = placeOf(role.name, definitions);
  return found.state === 'verified'
    ? { ...role, ...place, recorder: found.state }
    : { ...role, ...place, recorder: found.state, recorder_reason: found.reason };
}

/** For the audit. */
function inWords(window: RoleWindow | null): string[] {
  return window === null ? [] : Object.entries(window).map(([key, value]) => `${key}: ${value}`);
}

function customRoleName(name: string): string {
  if (isBuiltIn(name)) throw invalid(['path', 'name'], 'A built-in role cannot be changed');
  if (isNoRole(name)) throw invalid(['path', 'name'], 'none is no role: it stands for no access');
  if (isRoleName(name)) return name;
  throw invalid(
    ['path', 'name'],
    'A role name has 1 to 64 letters, digits, dots and underscores, and is not . or ..',
  );
}
