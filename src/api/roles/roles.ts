import * as v from 'valibot';
import type { CustomRoleChanges } from '../../identity/roles/custom-roles.ts';
import type { RoleDefinitions } from '../../identity/roles/role-definitions.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { ConfigurationError } from '../../config/problem.ts';
import { schedule as configuredSchedule } from '../../config/schedule.ts';
import { roleName as configuredRoleName } from '../../config/values.ts';
import { AppError } from '../../errors.ts';
import { isDefinedRole } from '../../policy/grant.ts';
import { isBuiltIn, isNoRole, isRoleName } from '../../policy/names.ts';
import type { Schedule } from '../../policy/schedule.ts';
import { unverifiedReasons, type RecorderRole, type UnverifiedReason } from '../../recorder/recorder-role.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { invalid } from '../../http/validation.ts';
import { actorOf } from '../actor.ts';
import { endpoint } from '../endpoint.ts';
import { permitIf } from '../permit.ts';
import { stepUpNeeded } from '../require-step-up.ts';

const schedule = v.pipe(
  v.nullable(configuredSchedule),
  v.description(
    'When the role is valid, in the time zone of the gate: `auth.role_windows` of config.yml explains the keys. Null: always.',
  ),
);

const roleAccess = v.object({
  cameras: v.array(
    v.pipe(v.string('Input should be text'), v.nonEmpty('A camera has a name')),
    'Input should be a list',
  ),
  window: v.optional(schedule),
});

const removal = v.object({ reassign_to: v.optional(v.string(), 'viewer') });

const role = v.strictObject({ name: v.string(), cameras: v.array(v.string()), window: schedule });
const roleInList = v.strictObject({
  ...role.entries,
  declared: v.optional(
    v.pipe(
      v.literal(true),
      v.description(
        'With `store.url`: `auth.roles` of `config.yml`, which every gate has, defines the role, and it can be changed only there.',
      ),
    ),
  ),
  hides_stored: v.optional(
    v.pipe(
      v.literal(true),
      v.description('The UI stored a role with the same name; `config.yml` overrides it.'),
    ),
  ),
  recorder: v.pipe(
    v.picklist(['verified', 'unverified']),
    v.description(
      'Whether the recorder was verified to show the role only its cameras. Otherwise lists that name no cameras are closed to it.',
    ),
  ),
  recorder_reason: v.optional(
    v.pipe(
      v.picklist(Object.keys(unverifiedReasons) as UnverifiedReason[]),
      v.description('Why it is not verified; docs/custom-roles.md has what to do.'),
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
  /** Loads the current roles. @throws AppError `store_unavailable` */
  readonly requireCurrentRoles: () => Promise<void>;
  readonly audit: Pick<AuditLog, 'record'>;
}

/* Custom roles, in config.yml, or in a store that several processes share. */

export const listRoles = endpoint({
  method: 'get',
  path: '/postern/api/roles',
  level: 'any',
  tag: 'Roles',
  summary: 'List the custom roles',
  description: 'Admins and viewers see all of them, users with a custom role only their own.',
  answers: {
    200: {
      meaning:
        'In the order of precedence: that of `auth.roles`, and with `store.url` then those made in the UI, the oldest first.',
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
          { name, cameras: [...cameras], window: scheduleOf(name, settings) },
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
  summary: 'Define a custom role, or change its cameras or schedule',
  description:
    'With `window` null the role is always valid; without `window` its schedule stays. Writes `auth.roles` and `auth.role_windows` in `config.yml` and keeps its comments. With `store.url` it writes to the store, for all gates, and roles that `config.yml` declares cannot be changed.',
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
      meaning:
        'The file cannot be written; with `store.url`: `config.yml` declares the role (`role_declared`).',
    },
  },
  handle:
    ({ settings, customRoles, audit }: RolesDependencies) =>
    async (c) => {
      const name = customRoleName(c.req.param('name'));
      const { cameras: listed, window: schedule } = c.req.valid('json');
      const cameras = [...new Set(listed)];
      await validChange(customRoles.set(name, { cameras, window: schedule }, c.var.permit));
      const detail = { cameras, ...(schedule === undefined ? {} : { window: inWords(schedule) }) };
      await audit.record({ event: 'role_defined', ...actorOf(c, settings), object: name, detail });
      return { name, cameras, window: schedule === undefined ? scheduleOf(name, settings) : schedule };
    },
});

export const removeRole = endpoint({
  method: 'delete',
  path: '/postern/api/roles/:name',
  level: 'admin-only',
  // Users of the role get another one.
  requiresSession: true,
  tag: 'Roles',
  summary: 'Remove a custom role',
  description: 'Its users get another role, in the same transaction, and their sessions end.',
  pathParameters: roleName,
  query: removal,
  queryParameters: { reassign_to: 'The new role of its users.' },
  pathForms: customRole,
  answers: {
    200: {
      meaning: 'Removed.',
      body: v.strictObject({
        name: v.string(),
        reassigned_users: v.pipe(v.number(), v.description('How many users got the new role.')),
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

function scheduleOf(role: string, { schedules }: Settings): Schedule | null {
  return schedules.get(role) ?? null;
}

async function validChange<T>(changed: Promise<T>): Promise<T> {
  try {
    return await changed;
  } catch (error) {
    if (error instanceof ConfigurationError) throw invalid(['body', 'cameras'], error.message);
    throw error;
  }
}

/** Source of its definition, when the gate does not write there. */
function placeOf(
  name: string,
  { isFixed, hidden }: RoleDefinitions,
): { readonly declared?: true; readonly hides_stored?: true } {
  if (!isFixed(name)) return {};
  return hidden.has(name) ? { declared: true, hides_stored: true } : { declared: true };
}

/** Whether lists that name no cameras are open to the role, and if not, why. */
function listedRole(
  role: { readonly name: string; readonly cameras: readonly string[]; readonly window: Schedule | null },
  found: RecorderRole,
  definitions: RoleDefinitions,
) {
  const place = placeOf(role.name, definitions);
  return found.state === 'verified'
    ? { ...role, ...place, recorder: found.state }
    : { ...role, ...place, recorder: found.state, recorder_reason: found.reason };
}

/** For the audit. */
function inWords(schedule: Schedule | null): string[] {
  return schedule === null ? [] : Object.entries(schedule).map(([key, value]) => `${key}: ${value}`);
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
