import { ConfigurationError, type Problem } from '../../config/problem.ts';
import { accessProblems, camerasProblems } from '../../config/resolve-roles.ts';
import { isBuiltIn } from '../../policy/names.ts';
import type { CameraGroups, RoleDefinition } from '../../policy/role-access.ts';

/**
 * @param known `cameras` of config.yml; undefined when any camera name is allowed
 * @throws ConfigurationError if config.yml could not define such a role
 */
export function requireValidDefinition(
  role: string,
  { cameras, access }: RoleDefinition,
  groups: CameraGroups,
  known: readonly string[] | undefined,
): void {
  const hasOthers = isBuiltIn(role) || access?.groups !== undefined;
  refuseProblems([
    ...(cameras.length === 0 && hasOthers ? [] : camerasProblems(`auth.roles.${role}`, cameras, known)),
    ...accessProblems(role, access, groups),
  ]);
}

/** @throws ConfigurationError if there are any */
export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems);
}
