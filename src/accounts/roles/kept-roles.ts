import { isDeepStrictEqual } from 'node:util';
import { ConfigurationError } from '../../config/problem.ts';
import { AppError } from '../../errors.ts';
import { isBuiltIn, isNoRole, isPersonalRoleName } from '../../policy/names.ts';
import type { CameraGroups, DefinedRoles, RoleDefinition } from '../../policy/role-access.ts';
import type { RolesFile } from './roles-file.ts';

/**
 * Gives the config.yml of a restore the roles that users keep, as they are defined now: the one of the backup may lack them, or define them
 * wider. Roles made for one person are in the store.
 * @param roles of users who keep them
 * @param present roles of the present config.yml
 * @param restored roles of the config.yml that replaces it, which `file` writes
 * @returns lines for the summary
 */
export async function keepRoles(
  roles: readonly string[],
  { present, restored }: { readonly present: DefinedRoles; readonly restored: DefinedRoles },
  file: Pick<RolesFile, 'add'>,
): Promise<readonly string[]> {
  const lines: string[] = [];
  const named = roles.filter((role) => !isBuiltIn(role) && !isNoRole(role) && !isPersonalRoleName(role));
  for (const role of named) {
    const found = present.definitions.get(role);
    if (found === undefined) continue;
    const kept = withoutOtherGroups(found, present.groups, restored.groups);
    if (isDeepStrictEqual(kept, restored.definitions.get(role))) continue;
    try {
      await file.add('roles imported', role, kept.cameras, kept.access);
      lines.push(`the role ${role} stays as it is now, in the config.yml of the backup too`);
    } catch (error) {
      if (!(error instanceof ConfigurationError) && !(error instanceof AppError)) throw error;
      lines.push(
        restored.definitions.has(role)
          ? `the role ${role} becomes that of the backup, because config.yml could not get the present one: ${error.message}`
          : `the role ${role} is lost, because config.yml could not get it: its users count as viewers, who see every camera`,
      );
    }
  }
  return lines;
}

/** Groups that are others there would give other cameras: the role names those of now in place of them. */
function withoutOtherGroups(
  { cameras, access }: RoleDefinition,
  now: CameraGroups,
  then: CameraGroups,
): RoleDefinition {
  const groups = access?.groups ?? [];
  const same = groups.filter((group) => isDeepStrictEqual(now.get(group), then.get(group)));
  if (access === undefined || same.length === groups.length) return { cameras, access };
  const others = groups.filter((group) => !same.includes(group)).flatMap((group) => now.get(group) ?? []);
  const { groups: _, ...limits } = access;
  return {
    cameras: [...new Set([...cameras, ...others])],
    access: same.length === 0 ? limits : { ...limits, groups: same },
  };
}
