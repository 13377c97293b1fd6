import { Hono } from 'hono';
import * as v from 'valibot';
import type { CustomRoleChanges } from '../../accounts/custom-roles.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { ConfigurationError } from '../../config/problem.ts';
import { isRoleName } from '../../config/values.ts';
import { AppError } from '../../errors.ts';
import type { RecorderRole } from '../../recorder/recorder-role.ts';
import type { Settings } from '../../settings/settings.ts';
import { invalid, validBody } from '../../validation.ts';
import { actorOf } from '../actor.ts';
import type { ApiContext, ApiEnvironment } from '../request-context.ts';

export const cameraList = v.object({
  cameras: v.array(
    v.pipe(v.string('Input should be text'), v.nonEmpty('A camera has a name')),
    'Input should be a list',
  ),
});

export interface RolesDependencies {
  readonly settings: Settings;
  readonly customRoles: CustomRoleChanges;
  readonly audit: Pick<AuditLog, 'record'>;
}

/** `/postern/api/roles`: custom roles, kept in config.yml. */
export function roleRoutes({ customRoles, settings, audit }: RolesDependencies) {
  const actor = (c: ApiContext) => actorOf(c, settings);
  const change = async <T>(changed: Promise<T>): Promise<T> => {
    try {
      return await changed;
    } catch (error) {
      if (error instanceof ConfigurationError) throw invalid(['body', 'cameras'], error.message);
      throw error;
    }
  };

  return new Hono<ApiEnvironment>()
    .get('/', (c) => {
      const { identity, grant } = c.var.allowed;
      const { rules, roleAtRecorder } = settings;
      const roles = [...rules.customRoles].map(([name, cameras]) =>
        listedRole(name, [...cameras], roleAtRecorder(name)),
      );
      return c.json(grant === 'all' ? roles : roles.filter(({ name }) => name === identity?.role));
    })

    .put('/:name', validBody(cameraList), async (c) => {
      const name = customRoleName(c.req.param('name'));
      const cameras = [...new Set(c.req.valid('json').cameras)];
      await change(customRoles.set(name, cameras, c.var.permit));
      await audit.record({ event: 'role_defined', ...actor(c), object: name, detail: { cameras } });
      return c.json({ name, cameras });
    })

    .delete('/:name', async (c) => {
      const name = customRoleName(c.req.param('name'));
      if (!settings.rules.customRoles.has(name)) throw new AppError('role_unknown');
      const reassigned = await change(customRoles.remove(name, c.var.permit));
      await audit.record({ event: 'role_removed', ...actor(c), object: name, detail: { reassigned } });
      return c.json({ name, reassigned_users: reassigned });
    });
}

export type RolesApi = ReturnType<typeof roleRoutes>;

/** It says whether lists that name no cameras are open to the role, and if not, why. */
function listedRole(name: string, cameras: readonly string[], found: RecorderRole) {
  return found.state === 'verified'
    ? { name, cameras, recorder: found.state }
    : { name, cameras, recorder: found.state, recorder_reason: found.reason };
}

function customRoleName(name: string): string {
  if (name === 'admin' || name === 'viewer')
    throw invalid(['path', 'name'], 'A built-in role cannot be changed');
  if (isRoleName(name)) return name;
  throw invalid(['path', 'name'], 'A role name has 1 to 64 letters, digits, dots and underscores');
}
