import { readApplied } from '../config/applied-text.ts';
import type { Configuration } from '../config/configuration.ts';
import { droppedRoles } from '../config/lost-configuration.ts';
import { ConfigurationError, type Problem } from '../config/problem.ts';
import { isPersonalRole } from '../policy/role-access.ts';
import type { Services } from './services.ts';

const mostNames = 5;

/**
 * Checks that no section of roles was lost as a whole while users have roles of it: they would be viewers, or see more than before.
 * @param running text of the configuration that is in effect; undefined: there is none
 * @throws ConfigurationError, or the store's error
 */
export async function requireUsedRoles(
  directory: string,
  running: string | undefined,
  { source, auth }: Configuration,
  { accounts: { users }, foundation: { roleReading } }: Services,
): Promise<void> {
  if (!auth.enabled) return;
  const applied = [...readApplied(directory), ...(running === undefined ? [] : [running])];
  const problems: Problem[] = [];
  for (const { path, roles } of droppedRoles(applied, source)) {
    const named = roles.filter((role) => !isPersonalRole(role, roleReading.known()));
    const found = await users.listWith(named);
    if (found.length === 0) continue;
    const names = found.slice(0, mostNames).map(({ username, role }) => `${username} (${role})`);
    const more = found.length > names.length ? ` and ${found.length - names.length} more` : '';
    problems.push({
      path,
      found: `nothing, while it gave roles to ${names.join(', ')}${more}`,
      allowed:
        'the roles that Postern applied last, or, where they are gone on purpose, "postern config accept"',
    });
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
}
