import { Hono } from 'hono';
import * as v from 'valibot';
import type { CustomRoleChanges } from '../../accounts/custom-roles.ts';
import type { RoleDefinitions } from '../../accounts/role-definitions.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { ConfigurationError } from '../../config/problem.ts';
import { roleWindow } from '../../config/role-window.ts';
import { AppError } from '../../errors.ts';
import type { RecorderRole } from '../../recorder/recorder-role.ts';
import { isBuiltIn, isNoRole, isRoleName } from '../../policy/names.ts';
import type { RoleWindow } from '../../policy/role-window.ts';
import { isDefinedRole } from '../../policy/grant.ts';
import type { Settings } from '../../settings/settings.ts';
import { invalid, validBody, validQuery } from '../../validation.ts';
import { actorOf } from '../actor.ts';
import { permitIf } from '../permit.ts';
import type { ApiContext, ApiEnvironment } from '../request-context.ts';

export const window = v.pipe(
  v.nullable(roleWindow),
  v.description(
    'When the role is good, in the time zone of the gate: `auth.role_windows` of config.yml says what the keys mean. Null: always.',
  ),
);

export const roleAccess = v.object({
  cameras: v.array(
    v.pipe(v.string('Input should be text'), v.nonEmpty('A camera has a name')),
    'Input should be a list',
  ),
  window: v.optional(window),
});

export const removal = v.object({ reassign_to: v.optional(v.string(), 'viewer') });

export interface RolesDependencies {
  readonly settings: Settings;
  readonly customRoles: CustomRoleChanges;
  readonly roleDefinitions: RoleDefinitions;
  /** Makes sure that they are those of this moment. @throws AppError `store_unavailable` */
  readonly requireCurrentRoles: () => Promise<void>;
  readonly audit: Pick<AuditLog, 'record'>;
}

/** `/postern/api/roles`: custom roles, kept in config.yml, or in a store that several processes share. */
export function roleRoutes(dependencies: RolesDependencies) {
  const { customRoles, roleDefinitions, settings, audit } = dependencies;
  const actor = (c: ApiContext) => actorOf(c, settings);
  const windowOf = (role: string) => settings.roleWindows.get(role) ?? null;
  const change = async <T>(changed: Promise<T>): Promise<T> => {
    try {
      return await changed;
    } catch (error) {
      if (error instanceof ConfigurationError) throw invalid(['body', 'cameras'], error.message);
      throw error;
    }
  };

  return new Hono<ApiEnvironment>()
    .get('/', async (c) => {
      await dependencies.requireCurrentRoles();
      const { identity, grant } = c.var.allowed;
      const roles = [...settings.rules.customRoles].map(([name, cameras]) =>
        listedRole(
          { name, cameras: [...cameras], window: windowOf(name) },
          settings.roleAtRecorder(name),
          roleDefinitions,
        ),
      );
      return c.json(grant === 'all' ? roles : roles.filter(({ name }) => name === identity?.role));
    })

    .put('/:name', validBody(roleAccess), async (c) => {
      const name = customRoleName(c.req.param('name'));
      const { cameras: listed, window } = c.req.valid('json');
      const cameras = [...new Set(listed)];
      await change(customRoles.set(name, { cameras, window }, c.var.permit));
      const detail = { cameras, ...(window === undefined ? {} : { window: inWords(window) }) };
      await audit.record({ event: 'role_defined', ...actor(c), object: name, detail });
      return c.json({ name, cameras, window: window === undefined ? windowOf(name) : window });
    })

    .delete('/:name', validQuery(removal), async (c) => {
      const name = customRoleName(c.req.param('name'));
      const { reassign_to: successor } = c.req.valid('query');
      const permit = permitIf(c.var.permit, ({ rules }) => {
        if (!rules.customRoles.has(name)) throw new AppError('role_unknown');
        if (successor === name || !isDefinedRole(successor, rules.customRoles))
          throw invalid(['query', 'reassign_to'], 'There is no such role');
      });
      const reassigned = await change(customRoles.remove(name, successor, permit));
      const detail = { reassigned, ...(successor === 'viewer' ? {} : { reassign_to: successor }) };
      await audit.record({ event: 'role_removed', ...actor(c), object: name, detail });
      return c.json({ name, reassigned_users: reassigned });
    });
}

export type RolesApi = ReturnType<typeof roleRoutes>;

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
