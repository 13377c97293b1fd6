import * as v from 'valibot';
import { accessInWords, type RoleDefinitions } from '../../accounts/roles/role-definitions.ts';
import { definitionOf, type CustomRoleChanges } from '../../accounts/roles/custom-roles.ts';
import type { RolePreview } from '../../accounts/roles/role-preview.ts';
import { readPersonalRoles } from '../../accounts/users/personal-roles.ts';
import type { Reading } from '../../store/permit.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { ConfigurationError } from '../../config/problem.ts';
import { roleAccess as configuredAccess } from '../../config/role-access.ts';
import { roleName as configuredRoleName } from '../../config/values.ts';
import { AppError } from '../../errors.ts';
import { capabilities } from '../../policy/capability.ts';
import { isBuiltIn, isNoRole, isRoleName } from '../../policy/names.ts';
import {
  accessOfRole,
  expandRoles,
  type ConfiguredAccess,
  type RoleDefinition,
} from '../../policy/role-access.ts';
import { unverifiedReasons, type RecorderRole, type UnverifiedReason } from '../../recorder/role-answers.ts';
import type { Settings } from '../../access/settings/settings.ts';
import type { RequestLog } from '../../telemetry/request-log.ts';
import { invalid, strictBody } from '../../http/validation.ts';
import { actorOf } from '../request.ts';
import { endpoint } from '../endpoint.ts';
import { permitIf } from '../permit.ts';
import { stepUpNeeded } from '../require-step-up.ts';
import { validChange } from '../valid-change.ts';

const access = v.pipe(
  v.nullable(configuredAccess),
  v.description(
    'What the role may do, with which groups of cameras and when: `auth.role_access` of config.yml explains the keys. Null: live, history and export, always.',
  ),
);

const newDefinition = strictBody({
  cameras: v.optional(
    v.array(
      v.pipe(v.string('Input should be text'), v.nonEmpty('A camera has a name')),
      'Input should be a list',
    ),
    [],
  ),
  access: v.optional(access),
});

const mays = v.array(v.picklist(capabilities));
export const change = v.strictObject({
  users: v.pipe(v.number(), v.description('How many users have the role.')),
  usernames: v.pipe(v.array(v.string()), v.description('The first few of them.')),
  gains: v.pipe(v.array(v.string()), v.description('Cameras.')),
  loses: v.pipe(v.array(v.string()), v.description('Cameras.')),
  gains_may: v.pipe(mays, v.description('What the role may do from then on, with all of its cameras.')),
  loses_may: mays,
});

const removal = v.object({ reassign_to: v.optional(v.string(), 'viewer') });

const role = v.strictObject({
  name: v.string(),
  cameras: v.pipe(v.array(v.string()), v.description('Without those of its groups.')),
  access,
  allowed_cameras: v.pipe(v.array(v.string()), v.description('All that the role sees.')),
});
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
const definedRole = {
  name: v.pipe(configuredRoleName, v.metadata({ not: { enum: ['admin', 'none', '.', '..'] } })),
};

export interface RolesDependencies {
  readonly settings: Settings;
  readonly customRoles: CustomRoleChanges;
  readonly roleDefinitions: RoleDefinitions;
  readonly read: Reading;
  /** Loads the current roles. @throws AppError `store_unavailable` */
  readonly requireCurrentRoles: () => Promise<void>;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly logger: Pick<RequestLog, 'error'>;
}

/* Custom roles, in config.yml, or in a store that several processes share. */

export const listRoles = endpoint({
  method: 'get',
  path: '/postern/api/roles',
  level: 'any',
  tag: 'Roles',
  summary: 'List the custom roles',
  description:
    'Admins and viewers see all of them, users with a custom role only their own. Roles made for one person by an invitation are left out.',
  answers: {
    200: {
      meaning:
        'In the order of precedence: that of `auth.roles`, and with `store.url` then those made in the UI, the oldest first.',
      body: v.array(roleInList),
    },
  },
  handle:
    ({ settings, roleDefinitions, read, requireCurrentRoles }: RolesDependencies) =>
    async (c) => {
      await requireCurrentRoles();
      const personal = await readPersonalRoles(read);
      const { identity, grant } = c.var.allowed;
      const roles = [...settings.defined.definitions.keys()]
        .filter((name) => !isBuiltIn(name) && !personal.has(name))
        .map((name) => listedRole(roleNow(name, settings), settings.roleAtRecorder(name), roleDefinitions));
      return grant === 'all' ? roles : roles.filter(({ name }) => name === identity?.role);
    },
});

export const showRole = endpoint({
  method: 'get',
  path: '/postern/api/roles/:name',
  level: 'admin-only',
  tag: 'Roles',
  summary: 'Show a role',
  description: 'Built-in roles too: `viewer` may be narrowed by `may`.',
  pathParameters: { name: 'Name of a role.' },
  answers: {
    200: { meaning: 'The role as it is now.', body: role },
    404: { meaning: 'There is no such role.' },
  },
  handle:
    ({ settings, requireCurrentRoles }: RolesDependencies) =>
    async (c) => {
      await requireCurrentRoles();
      const name = c.req.param('name');
      if (!settings.rules.roles.has(name)) throw new AppError('role_unknown');
      return roleNow(name, settings);
    },
});

export const defineRole = endpoint({
  method: 'put',
  path: '/postern/api/roles/:name',
  level: 'admin-only',
  tag: 'Roles',
  summary: 'Define a custom role, or narrow the viewer',
  description:
    'Without `cameras`, the role has only those of its groups. `access` replaces all that was there: null is the default, and without `access` it stays as it is. For `viewer`, only `may` can be set. Writes `auth.roles` and `auth.role_access` in `config.yml` and keeps its comments. With `store.url` it writes to the store, for all gates, and roles that `config.yml` declares cannot be changed.',
  pathParameters: roleName,
  pathForms: definedRole,
  query: v.object({ preview: v.optional(v.string()) }),
  queryParameters: { preview: 'Write nothing, and answer with `change` too. It needs no value.' },
  body: newDefinition,
  bodyExample: {
    cameras: ['driveway', 'front_door'],
    access: { may: ['live'], from: '2026-12-20', until: '2027-01-05', hours: '07:00-19:00' },
  },
  answers: {
    200: {
      meaning: 'It applies from now on.',
      body: v.strictObject({
        ...role.entries,
        change: v.optional(
          v.pipe(
            v.nullable(change),
            v.description(
              'With `preview`: what would change, besides the schedule. Null: the role would have the same cameras and may do the same.',
            ),
          ),
        ),
      }),
    },
    409: {
      meaning:
        'The file cannot be written; with `store.url`: `config.yml` declares the role (`role_declared`).',
    },
  },
  handle:
    ({ settings, customRoles, audit }: RolesDependencies) =>
    async (c) => {
      const given = c.req.param('name');
      const name = given === 'viewer' ? given : customRoleName(given);
      const { cameras: listed, access: wanted } = c.req.valid('json');
      if (name === 'viewer' && listed.length > 0)
        throw invalid(['body', 'cameras'], 'The viewer sees every camera');
      const cameras = [...new Set(listed)];
      const shown = () =>
        shownRole(name, definitionOf(name, { cameras, access: wanted }, settings.defined), settings);
      if (c.req.valid('query').preview !== undefined) {
        const found = await validChange(customRoles.preview(name, { cameras, access: wanted }), partOf);
        return { ...shown(), change: found === undefined ? null : shownChange(found) };
      }
      await validChange(customRoles.set(name, { cameras, access: wanted }, c.var.permit), partOf);
      const detail = { cameras, ...(wanted === undefined ? {} : { access: accessInWords(wanted) }) };
      await audit.record({ event: 'role_defined', ...actorOf(c, settings), object: name, detail });
      return shown();
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
  description:
    'Its users get another role, in the same transaction, and their sessions end. Open invitations to it end too.',
  pathParameters: roleName,
  query: removal,
  queryParameters: { reassign_to: 'The new role of its users.' },
  pathForms: customRole,
  answers: {
    200: {
      meaning: 'Its users have the new role.',
      body: v.strictObject({
        name: v.string(),
        reassigned_users: v.pipe(v.number(), v.description('How many users got the new role.')),
        still_defined: v.optional(
          v.pipe(
            v.literal(true),
            v.description(
              'Its users have the new role, but `config.yml` could not be written after that: the role is still defined, and no user has it. Remove it again.',
            ),
          ),
        ),
      }),
    },
    403: stepUpNeeded,
    404: { meaning: 'There is no such role.' },
    409: { meaning: 'As for `PUT`.' },
  },
  handle:
    ({ settings, customRoles, audit, logger }: RolesDependencies) =>
    async (c) => {
      const name = customRoleName(c.req.param('name'));
      const { reassign_to: successor } = c.req.valid('query');
      const permit = permitIf(c.var.permit, ({ rules }) => {
        if (!rules.roles.has(name)) throw new AppError('role_unknown');
        if (successor === name || !rules.roles.has(successor))
          throw invalid(['query', 'reassign_to'], 'No such role');
      });
      const { reassigned, left } = await validChange(customRoles.remove(name, successor, permit), partOf);
      const stays = left === undefined ? {} : ({ still_defined: true } as const);
      if (left !== undefined)
        logger.error(
          { err: left, role: name },
          'could not remove a role from config.yml; no user has it anymore',
        );
      const detail = { reassigned, ...(successor === 'viewer' ? {} : { reassign_to: successor }), ...stays };
      await audit.record({ event: 'role_removed', ...actorOf(c, settings), object: name, detail });
      return { name, reassigned_users: reassigned, ...stays };
    },
});

interface ShownRole {
  readonly name: string;
  readonly cameras: readonly string[];
  readonly access: ConfiguredAccess | null;
  readonly allowed_cameras: readonly string[];
}

function roleNow(name: string, settings: Settings): ShownRole {
  return shownRole(name, settings.defined.definitions.get(name) ?? { cameras: [] }, settings);
}

function shownRole(name: string, definition: RoleDefinition, { defined, allCameras }: Settings): ShownRole {
  const { cameras, access: configured = null } = definition;
  const roles = expandRoles({ ...defined, definitions: new Map([[name, definition]]) });
  const granted = accessOfRole(name, roles).cameras;
  return {
    name,
    cameras: [...cameras],
    access: configured,
    allowed_cameras: [...(granted === 'all' ? allCameras() : granted)],
  };
}

export function shownChange({ users, usernames, gains, loses, gainsMay, losesMay }: RolePreview) {
  return { users, usernames, gains, loses, gains_may: gainsMay, loses_may: losesMay };
}

/** The field that the first problem is about. */
function partOf({ problems: [problem] }: ConfigurationError): 'access' | 'cameras' {
  return problem?.path.startsWith('auth.role_access.') === true ? 'access' : 'cameras';
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
function listedRole(role: ShownRole, found: RecorderRole, definitions: RoleDefinitions) {
  const place = placeOf(role.name, definitions);
  return found.state === 'verified'
    ? { ...role, ...place, recorder: found.state }
    : { ...role, ...place, recorder: found.state, recorder_reason: found.reason };
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
