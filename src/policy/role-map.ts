import { definedRoles, type CustomRoles } from './grant.ts';
import { foldName, isNoRole } from './names.ts';
import { withoutWhiteSpace } from './raw-headers.ts';

/** Upstream groups of each role, from `proxy.role_map`. */
export type RoleMap = ReadonlyMap<string, ReadonlySet<string>>;

/** The role that a part of the role header maps to, and its precedence if several match. */
interface RankedRole {
  /** Undefined: `none`, which refuses. */
  readonly role: string | undefined;
  readonly rank: number;
}

export interface RoleResolution {
  readonly separator: string;
  /** Upstream group to role if there is a role map; lower-case role name to role otherwise. */
  readonly rolesByPart: ReadonlyMap<string, RankedRole>;
  readonly caseSensitive: boolean;
  /** Undefined if there is none, or if it names no role. */
  readonly defaultRole: string | undefined;
}

/**
 * Prepares the role configuration so that a request costs one lookup per part of its header.
 * If several match, `none` wins, which refuses; then admin, viewer, and the custom role that `auth.roles` lists first.
 */
export function prepareRoleResolution(configured: {
  readonly separator: string;
  readonly roleMap: RoleMap | undefined;
  readonly defaultRole: string | undefined;
  readonly customRoles: CustomRoles;
}): RoleResolution {
  const { separator, roleMap, defaultRole, customRoles } = configured;
  const precedence = definedRoles(customRoles);
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
    defaultRole: defaultRole !== undefined && precedence.includes(defaultRole) ? defaultRole : undefined,
  };
}

/** @returns groups that map to `none`; the name itself if no role map is configured */
function partsOfNone(roleMap: RoleMap | undefined): readonly string[] {
  if (roleMap === undefined) return ['none'];
  return Array.from(roleMap)
    .filter(([role]) => isNoRole(role))
    .flatMap(([, groups]) => Array.from(groups));
}

/**
 * @param header text of the header named by `proxy.header_map.role`; undefined without one
 * @returns the role, regardless of the order in the header; undefined if nothing maps and there is no default, or if `none`
 * matches
 */
export function resolveRole(header: string | undefined, resolution: RoleResolution): string | undefined {
  const parts = (header ?? '').split(resolution.separator).map(withoutWhiteSpace);
  return resolveParts(parts, resolution)?.role;
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
