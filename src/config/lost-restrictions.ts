import { isPlainObject } from '../policy/json.ts';
import { isBuiltIn, isNoRole } from '../policy/names.ts';
import type { ConfiguredAccess } from '../policy/role-access.ts';
import { sectionsOf } from './lost-configuration.ts';

/** Each key of an entry of `auth.role_access`, with the consequence where the role no longer has it; undefined: it gives access. */
const consequences: Readonly<Record<keyof ConfiguredAccess, string | undefined>> = {
  groups: undefined,
  may: 'may do what a role may by default',
  from: 'has access already before',
  until: 'has access without an end',
  hours: 'has access at all hours',
  history: 'sees earlier recordings too',
};

/** Maps from `none` to the groups that are refused. */
const refusedGroups = [
  ['proxy', 'role_map'],
  ['proxy', 'header_map', 'role_map'],
  ['auth', 'oidc', 'role_map'],
] as const;

const userMap = ['proxy', 'user_map'] as const;

/**
 * Finds limits of roles, and refused users and groups, that a configuration no longer has. A role that is gone as a whole is another
 * matter: its users are named as having an undefined role.
 * @param applied text that Postern applied last @param found text that replaces it
 * @returns warnings that name the roles, users and groups
 */
export function lostRestrictions(applied: string, found: string): readonly string[] {
  const [before, after] = [sectionsOf(applied), sectionsOf(found) ?? {}];
  if (before === undefined) return [];
  return [...limitsLost(before, after), ...usersLost(before, after), ...groupsLost(before, after)];
}

function limitsLost(before: unknown, after: unknown): readonly string[] {
  const now = mapAt(after, ['auth', 'role_access']);
  const isDefined = (role: string) =>
    isBuiltIn(role) || role in now || role in mapAt(after, ['auth', 'roles']);
  return Object.entries(mapAt(before, ['auth', 'role_access']))
    .filter(([role]) => isDefined(role))
    .flatMap(([role, had]) =>
      Object.entries(consequences)
        .filter(([key]) => isSet(mapAt(had, [])[key]) && !isSet(mapAt(now[role], [])[key]))
        .flatMap(([key, consequence]) =>
          consequence === undefined
            ? []
            : [`auth.role_access.${role} no longer has ${key}: the role ${role} ${consequence}`],
        ),
    );
}

function usersLost(before: unknown, after: unknown): readonly string[] {
  const now = mapAt(after, userMap);
  return Object.entries(mapAt(before, userMap))
    .filter(([user, role]) => isNone(role) && !isNone(now[user]))
    .map(([user]) => `${userMap.join('.')} no longer refuses ${user} by none`);
}

/** A group may have moved from one place of the role map to the other. */
function groupsLost(before: unknown, after: unknown): readonly string[] {
  return refusedGroups.flatMap((place) => {
    const isProxy = place[0] === 'proxy';
    const places = refusedGroups.filter(([section]) => (section === 'proxy') === isProxy);
    const still = new Set(places.flatMap((each) => noneOf(mapAt(after, each))));
    const lost = noneOf(mapAt(before, place)).filter((group) => !still.has(group));
    return lost.length === 0 ? [] : [`${place.join('.')} no longer refuses ${lost.join(', ')} by none`];
  });
}

function noneOf(roleMap: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(roleMap).flatMap(([role, groups]) =>
    isNone(role) && Array.isArray(groups) ? groups.map(String) : [],
  );
}

function isNone(role: unknown): boolean {
  return typeof role === 'string' && isNoRole(role);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** @returns an empty map where there is none */
function mapAt(document: unknown, path: readonly string[]): Readonly<Record<string, unknown>> {
  const found = path.reduce<unknown>((at, key) => (isPlainObject(at) ? at[key] : undefined), document);
  return isPlainObject(found) ? found : {};
}
