import { foldName, isNoRole, noRole } from './names.ts';
import { withoutWhiteSpace } from './raw-headers.ts';
import type { Roles } from './role-access.ts';

/** Upstream groups of each role, from `proxy.role_map`. */
export type RoleMap = ReadonlyMap<string, ReadonlySet<string>>;

/** The role of each user, from `proxy.user_map`. */
type UserMap = ReadonlyMap<string, string>;

/** The role that a part of the role header maps to, and its precedence if several match. */
interface RankedRole {
  /** Absent for `none`, which refuses. */
  readonly role: string | undefined;
  readonly rank: number;
}

export interface RoleResolution {
  readonly separator: string;
  /** Upstream group to role if there is a role map; lower-case role name to role otherwise. */
  readonly rolesByPart: ReadonlyMap<string, RankedRole>;
  readonly caseSensitive: boolean;
  /** User to role, if there is a user map. A role is `undefined` for `none`, which refuses. */
  readonly rolesByUser: ReadonlyMap<string, string | undefined>;
  /** Absent when there is none, or when it names no role. */
  readonly defaultRole: string | undefined;
}

/**
 * Prepares the role configuration so that a request costs one lookup per part of its header, and one for its user.
 * If several match, `none` wins, which refuses; then admin, viewer, and the custom role that `auth.roles` lists first.
 */
export function prepareRoleResolution(configured: {
  readonly separator: string;
  readonly roleMap: RoleMap | undefined;
  readonly userMap?: UserMap | undefined;
  readonly defaultRole: string | undefined;
  readonly roles: Roles;
}): RoleResolution {
  const { separator, roleMap, userMap = new Map<string, string>(), defaultRole, roles } = configured;
  const precedence = [...roles.keys()];
  const rolesByPart = new Map<string, RankedRole>(
    partsOfNone(roleMap).map((part) => [part, { role: undefined, rank: -1 }]),
  );
  for (const [rank, role] of precedence.entries()) {
    const parts = roleMap === undefined ? [foldName(role)] : (roleMap.get(role) ?? []);
    for (const part of parts) {
      if (!rolesByPart.has(part)) rolesByPart.set(part, { role, rank });
    }
  }
  return {
    separator,
    rolesByPart,
    caseSensitive: roleMap !== undefined,
    rolesByUser: new Map(
      Array.from(userMap)
        .filter(([, role]) => isNoRole(role) || precedence.includes(role))
        .map(([user, role]) => [user, isNoRole(role) ? undefined : role]),
    ),
    defaultRole: defaultRole !== undefined && precedence.includes(defaultRole) ? defaultRole : undefined,
  };
}

/** @returns groups that map to `none`; the name itself if no role map is configured */
function partsOfNone(roleMap: RoleMap | undefined): readonly string[] {
  if (roleMap === undefined) return [noRole];
  return Array.from(roleMap)
    .filter(([role]) => isNoRole(role))
    .flatMap(([, groups]) => Array.from(groups));
}

/**
 * @param header text of the header named by `proxy.header_map.role`; undefined without one
 * @param user whose own role counts if nothing in the header maps
 * @returns the role, regardless of the order in the header; undefined if nothing maps and there is no default, or if `none`
 * matches
 */
export function resolveRole(
  header: string | undefined,
  resolution: RoleResolution,
  user = '',
): string | undefined {
  const { separator, rolesByUser, defaultRole } = resolution;
  const match = matchRole((header ?? '').split(separator).map(withoutWhiteSpace), resolution);
  if (match !== undefined) return match.role;
  return rolesByUser.has(user) ? rolesByUser.get(user) : defaultRole;
}

/**
 * @param parts names of groups, or of roles if no role map is configured
 * @returns the role, regardless of the order, and the first part that maps to it, which is absent for the default role;
 * undefined as for `resolveRole`
 */
export function resolveParts(
  parts: Iterable<string>,
  resolution: Pick<RoleResolution, 'rolesByPart' | 'caseSensitive' | 'defaultRole'>,
): { readonly role: string; readonly part: string | undefined } | undefined {
  const match = matchRole(parts, resolution);
  const role = match === undefined ? resolution.defaultRole : match.role;
  return role === undefined ? undefined : { role, part: match?.part };
}

function matchRole(
  parts: Iterable<string>,
  { rolesByPart, caseSensitive }: Pick<RoleResolution, 'rolesByPart' | 'caseSensitive'>,
): (RankedRole & { readonly part: string }) | undefined {
  let best: (RankedRole & { readonly part: string }) | undefined;
  for (const part of parts) {
    const match = rolesByPart.get(caseSensitive ? part : foldName(part));
    if (match !== undefined && (best === undefined || match.rank < best.rank)) best = { ...match, part };
  }
  return best;
}
