import { withRoles } from '../accounts/roles/role-definitions.ts';
import type { Configuration } from '../config/configuration.ts';
import { describeUndefinedRole, undefinedRoles } from '../accounts/users/undefined-roles.ts';
import type { Services } from './services.ts';

/** Logs which users count as viewers because the configuration does not define their role. */
export async function warnOfUndefinedRoles(
  { users, roleReading, logger }: Pick<Services, 'users' | 'roleReading' | 'logger'>,
  declared: Configuration,
): Promise<void> {
  if (!declared.auth.enabled) return;
  const { auth } = withRoles(declared, roleReading?.known());
  // A store that does not answer is reported elsewhere, and stops neither a start nor a reload.
  const others = await users.listOthers(auth.roles.keys()).catch(() => []);
  for (const found of undefinedRoles(others, auth.roles))
    logger.warn({ event: 'role_undefined', ...found }, describeUndefinedRole(found));
}
