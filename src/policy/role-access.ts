import { streamOfAllCameras } from './cameras.ts';
import { mayByDefault, mayEverything, mayNothing, type Capability, type May } from './capability.ts';
import { noCameras, type CamerasByRole, type Grant } from './grant.ts';
import { isBuiltIn, isNoRole, isPersonalRoleName } from './names.ts';
import type { Schedule } from './schedule.ts';

/** Access of a role: what it may see and do, and when. Every other limit narrows one of these. */
export interface RoleAccess {
  /** Including those of its groups. */
  readonly cameras: Grant;
  readonly may: May;
  /** Absent when the role is always active. */
  readonly schedule?: Schedule | undefined;
}

/** Every defined role, in order of precedence: admin, viewer, then the custom ones. */
export interface Roles extends ReadonlyMap<string, RoleAccess> {
  /** Names of roles that were made for one person, also of those that are not defined anymore. */
  readonly personal?: ReadonlySet<string> | undefined;
}

/** An entry of `auth.role_access`: what recorders' own lists of cameras cannot express. */
export interface ConfiguredAccess extends Schedule {
  readonly groups?: readonly string[] | undefined;
  readonly may?: readonly Capability[] | undefined;
}

export interface RoleDefinition {
  /** Without those of its groups. */
  readonly cameras: readonly string[];
  readonly access?: ConfiguredAccess | undefined;
}

/** Cameras by group. */
export type CameraGroups = ReadonlyMap<string, readonly string[]>;

/** Roles as an operator wrote them. */
export interface DefinedRoles {
  /** Custom roles in order of precedence, and `viewer` if it is narrowed. */
  readonly definitions: ReadonlyMap<string, RoleDefinition>;
  readonly groups: CameraGroups;
  /** As `Roles.personal`. */
  readonly personal?: ReadonlySet<string> | undefined;
}

/**
 * @param known the cameras there are; undefined if any name is one
 * @returns every role with the cameras of its groups; an unknown group or camera gives nothing
 */
export function expandRoles(
  { definitions, groups, personal }: DefinedRoles,
  known?: readonly string[],
): Roles {
  const viewer = definitions.get('viewer')?.access?.may;
  const custom = [...definitions].filter(([name]) => !isBuiltIn(name));
  const roles = new Map<string, RoleAccess>([
    ['admin', { cameras: 'all', may: mayEverything }],
    ['viewer', { cameras: 'all', may: viewer === undefined ? mayEverything : new Set(viewer) }],
    ...custom.map(([name, definition]) => [name, accessByDefinition(definition, groups, known)] as const),
  ]);
  return personal === undefined ? roles : Object.assign(roles, { personal });
}

/** @param known as for `expandRoles`. @returns the access that a definition of a custom role gives */
export function accessByDefinition(
  { cameras, access }: RoleDefinition,
  groups: CameraGroups,
  known?: readonly string[],
): RoleAccess {
  const grouped = access?.groups?.flatMap((group) => groups.get(group) ?? []) ?? [];
  const isGiven = (camera: string) =>
    camera !== streamOfAllCameras && (known === undefined || known.includes(camera));
  return {
    cameras: new Set([...cameras, ...grouped].filter(isGiven)),
    may: access?.may === undefined ? mayByDefault : new Set(access.may),
    schedule: scheduleIn(access),
  };
}

/** @returns only the schedule; undefined if the role is always active */
export function scheduleIn({ from, until, hours, history }: ConfiguredAccess = {}): Schedule | undefined {
  if (from === undefined && until === undefined && hours === undefined) return undefined;
  return {
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { until }),
    ...(hours === undefined ? {} : { hours }),
    ...(history === undefined ? {} : { history }),
  };
}

/** An entry of `auth.role_access` without groups: what an API token narrows of its role. */
export type TokenAccess = Omit<ConfiguredAccess, 'groups'>;

interface NarrowedAccess {
  readonly may?: May | undefined;
  readonly schedule?: Schedule | undefined;
}

/** @returns an access as it is written; null if nothing is narrowed */
export function writtenAccess({ may, schedule }: NarrowedAccess): TokenAccess | null {
  return may === undefined && schedule === undefined ? null : { ...schedule, ...(may && { may: [...may] }) };
}

/** @returns the access of a role; an undefined role has none */
export function accessOfRole(role: string, roles: Roles): RoleAccess {
  return roles.get(role) ?? noAccess;
}

const noAccess: RoleAccess = { cameras: noCameras, may: mayNothing };

/**
 * @returns the effective role of a user: one that is not defined anymore counts as viewer, except `none` and roles that were made for one
 * person, which give nothing then
 */
export function currentRole(role: string, roles: Roles): string {
  return roles.has(role) || isNoRole(role) || isPersonalRole(role, roles) ? role : 'viewer';
}

/** Whether a role was made for one person. The name alone says so too: it counts even if the list of them has lost the role. */
export function isPersonalRole(role: string, { personal }: Pick<DefinedRoles, 'personal'>): boolean {
  return isPersonalRoleName(role) || personal?.has(role) === true;
}

/** @returns the cameras of each custom role, as recorders know roles */
export function camerasByRole(roles: Roles): CamerasByRole {
  return new Map([...roles].flatMap(([name, { cameras }]) => (cameras === 'all' ? [] : [[name, cameras]])));
}

/** @returns the roles that have the cameras of a group */
export function rolesWith(group: string, { definitions }: DefinedRoles): readonly string[] {
  return [...definitions].flatMap(([name, { access }]) =>
    access?.groups?.includes(group) === true ? [name] : [],
  );
}
