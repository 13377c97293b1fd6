import type { DefinedRoles, Roles } from './role-access.ts';

/** A role whose definition names groups or cameras that there are not. */
interface IncompleteRole {
  readonly role: string;
  readonly unknown: readonly string[];
}

/**
 * A config.yml without the groups and cameras of its own roles is refused; those of the store are not checked by it, and get nothing by a
 * name that is gone.
 * @param roles the same roles, expanded
 */
export function incompleteRoles(
  { definitions, groups }: DefinedRoles,
  roles: Roles,
): readonly IncompleteRole[] {
  return [...definitions].flatMap(([role, { cameras, access }]) => {
    const given = roles.get(role)?.cameras ?? 'all';
    const unknown = [
      ...(access?.groups ?? []).filter((group) => !groups.has(group)),
      ...(given === 'all' ? [] : cameras.filter((camera) => !given.has(camera))),
    ];
    return unknown.length === 0 ? [] : [{ role, unknown }];
  });
}
