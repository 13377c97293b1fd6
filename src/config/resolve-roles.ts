import { streamOfAllCameras } from '../policy/cameras.ts';
import { foldName, isBuiltIn, isGroupName, isNoRole, isRoleName } from '../policy/names.ts';
import type { CameraGroups, ConfiguredAccess, DefinedRoles } from '../policy/role-access.ts';
import { meantHint } from './wrong-value.ts';
import type { Findings, Problem } from './problem.ts';
import type { ConfigurationFile } from './schema.ts';

/**
 * Resolves `auth.camera_groups`, `auth.roles` and `auth.role_access`.
 * @param cameras all that the configuration names; `undefined` if any name is allowed
 * @param roleOrder names of roles in file order
 */
export function resolveRoles(
  { auth }: Pick<ConfigurationFile, 'auth'>,
  cameras: readonly string[] | undefined,
  roleOrder: readonly string[],
  findings: Findings,
): DefinedRoles {
  const { refuse, warn, isLeftOut } = findings;
  const lists = Object.entries(auth.roles).filter(([name, granted]) => !isOfRecorder(name, granted));
  const roles = new Map(lists);
  const access = new Map(Object.entries(auth.role_access));
  const groups: CameraGroups = new Map(Object.entries(auth.camera_groups));

  const isNew = (name: string) => !roles.has(name) && !isBuiltIn(name);
  const pathOf = (name: string) => `auth.${roles.has(name) ? 'roles' : 'role_access'}.${name}`;
  const roleNames = [...roles.keys(), ...[...access.keys()].filter(isNew)];
  refuseNames(groups.keys(), (name) => `auth.camera_groups.${name}`, groupNameFault, findings);
  const refused = refuseNames(roleNames, pathOf, roleNameFault, findings);
  for (const [key, map] of [
    ['camera_groups', groups],
    ['roles', roles],
  ] as const)
    for (const [name, granted] of map) {
      const path = `auth.${key}.${name}`;
      for (const problem of camerasProblems(path, granted, cameras)) report(problem, refuse);
      if (granted.includes(streamOfAllCameras))
        warn(`${path} names ${streamOfAllCameras}, which shows all cameras: no custom role gets it`);
    }

  const names = [...new Set([...roles.keys(), ...access.keys()])];
  const definitions = new Map(
    names
      .toSorted((one, other) => roleOrder.indexOf(one) - roleOrder.indexOf(other))
      .map((name) => [name, { cameras: roles.get(name) ?? [], access: access.get(name) }] as const),
  );
  // A value that was left out is reported there, and not as missing here.
  const namedGroups: GroupNames = {
    has: (name) =>
      groups.has(name) || isLeftOut('auth.camera_groups') || isLeftOut(`auth.camera_groups.${name}`),
    keys: () => groups.keys(),
  };
  const mayHaveCameras = (name: string) => isLeftOut('auth.roles') || isLeftOut(`auth.roles.${name}`);
  for (const [name, definition] of definitions) {
    if (refused.has(name)) continue;
    for (const problem of accessProblems(name, definition.access, namedGroups)) report(problem, refuse);
    if (isNew(name) && definition.access?.groups === undefined && !mayHaveCameras(name))
      refuse(
        pathOf(name),
        'a role without cameras',
        `cameras in auth.roles.${name}, or groups${meantHint(name, [...roles.keys()])}`,
      );
  }
  return { definitions, groups };
}

type GroupNames = Pick<CameraGroups, 'has' | 'keys'>;

/** @returns what is wrong with the access of a role, whatever its own cameras */
export function accessProblems(
  name: string,
  access: ConfiguredAccess | undefined,
  groups: GroupNames,
): readonly Problem[] {
  if (access === undefined) return [];
  const path = `auth.role_access.${name}`;
  if (foldName(name) === 'admin')
    return [{ path, found: 'the role that may do everything', allowed: 'viewer, or a custom role' }];
  if (name === 'viewer')
    return isOfMayAlone(access)
      ? []
      : [{ path, found: 'more than may', allowed: 'only may: the viewer always sees every camera' }];
  if (isBuiltIn(name)) return [{ path, found: twinFault('viewer'), allowed: 'viewer' }];
  const unknown = access.groups?.filter((group) => !groups.has(group)) ?? [];
  return unknown.map((group) => ({
    path: `${path}.groups`,
    found: `the unknown group ${JSON.stringify(group)}`,
    allowed: `one of auth.camera_groups: ${[...groups.keys()].join(', ') || 'there are none'}${meantHint(group, [...groups.keys()])}`,
  }));
}

function isOfMayAlone(access: ConfiguredAccess): boolean {
  return Object.entries(access).every(([key, value]) => key === 'may' || value === undefined);
}

/** @param path of a role or a group @param known `undefined` if any name is allowed */
export function camerasProblems(
  path: string,
  cameras: readonly string[],
  known: readonly string[] | undefined,
): readonly Problem[] {
  if (cameras.length === 0) {
    const ofGroups = path.startsWith('auth.roles.')
      ? '; a role that has only groups belongs in auth.role_access'
      : '';
    return [{ path, found: 'an empty list', allowed: `at least one camera${ofGroups}` }];
  }
  if (known === undefined) return [];
  return cameras
    .filter((camera) => !known.includes(camera) && camera !== streamOfAllCameras)
    .map((camera) => ({
      path,
      found: `the unknown camera ${JSON.stringify(camera)}`,
      allowed: `one of ${known.join(', ')}${meantHint(camera, known)}`,
    }));
}

function report({ path, found, allowed }: Problem, refuse: Findings['refuse']): void {
  refuse(path, found, allowed);
}

/** Recorders list their built-in roles among the others, with an empty list that means every camera. */
function isOfRecorder(name: string, cameras: readonly string[]): boolean {
  return (name === 'admin' || name === 'viewer') && cameras.length === 0;
}

/** @returns the names that are refused */
function refuseNames(
  names: Iterable<string>,
  pathOf: (name: string) => string,
  faultOf: (name: string) => string | undefined,
  { refuse }: Findings,
): ReadonlySet<string> {
  const first = new Map<string, string>();
  const refused = new Set<string>();
  for (const name of names) {
    const twin = first.get(foldName(name));
    const isTwin = twin !== undefined && twin !== name;
    const fault = faultOf(name) ?? (isTwin ? twinFault(twin) : undefined);
    first.set(foldName(name), name);
    if (fault === undefined) continue;
    refuse(pathOf(name), fault, 'another name');
    refused.add(name);
  }
  return refused;
}

/** @returns what is wrong with a name that differs from another one only in letter case */
export function twinFault(twin: string): string {
  return `a name that differs from ${twin} only in upper and lower case`;
}

function roleNameFault(name: string): string | undefined {
  if (isBuiltIn(name)) return 'a built-in role';
  if (isNoRole(name)) return 'the word for no access';
  return isRoleName(name) ? undefined : 'a reserved name';
}

function groupNameFault(name: string): string | undefined {
  return isGroupName(name) ? undefined : 'a reserved name';
}
