import { expandRoles, type ConfiguredAccess, type Roles } from '../../src/policy/role-access.ts';

/** Custom roles with these cameras, and the access of those that have any. */
export function rolesOf(
  cameras: Iterable<readonly [role: string, cameras: Iterable<string>]> = [],
  access: Readonly<Record<string, ConfiguredAccess | undefined>> = {},
): Roles {
  const listed = new Map(cameras);
  const names = new Set([...listed.keys(), ...Object.keys(access)]);
  return expandRoles({
    definitions: new Map(
      [...names].map((name) => [name, { cameras: [...(listed.get(name) ?? [])], access: access[name] }]),
    ),
    groups: new Map(),
  });
}

/** For rules whose roles have no schedule. */
export function noSchedules(): never {
  throw new Error('no role of this test has a schedule');
}
