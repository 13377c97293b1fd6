import type { Configuration } from '../../config/configuration.ts';
import type { CustomRoles } from '../../policy/grant.ts';
import type { Schedules } from '../../policy/schedule.ts';

/** Custom roles, and the schedules of those that have one. */
export interface DefinedRoles {
  readonly roles: CustomRoles;
  readonly schedules: Schedules;
}

/** Which custom roles exist, and which of them only the configuration can change. */
export interface RoleDefinitions {
  /** In order of precedence: the declared ones first, then those of the store. */
  readonly current: DefinedRoles;
  /** Whether a role is declared in a config.yml that the gate does not write. */
  isFixed(role: string): boolean;
  /** Stored roles that a declared role of the same name overrides. */
  readonly hidden: ReadonlySet<string>;
}

/**
 * @param declared `auth.roles` and `auth.role_windows` of config.yml
 * @param stored roles made in the UI; undefined: they are written to config.yml as well
 */
export function defineRoles(declared: DefinedRoles, stored: DefinedRoles | undefined): RoleDefinitions {
  if (stored === undefined) return { current: declared, isFixed: () => false, hidden: new Set() };
  const isDeclared = (name: string) => declared.roles.has(name);
  const withStored = <T>(ofDeclared: ReadonlyMap<string, T>, ofStored: ReadonlyMap<string, T>) =>
    new Map([...ofDeclared, ...[...ofStored].filter(([name]) => !isDeclared(name))]);
  return {
    current: {
      roles: withStored(declared.roles, stored.roles),
      schedules: withStored(declared.schedules, stored.schedules),
    },
    isFixed: isDeclared,
    hidden: new Set([...stored.roles.keys()].filter(isDeclared)),
  };
}

/** A configuration with the current custom roles. @param stored as for `defineRoles` */
export function withRoles(configuration: Configuration, stored: DefinedRoles | undefined): Configuration {
  if (stored === undefined) return configuration;
  const { auth } = configuration;
  return { ...configuration, auth: { ...auth, ...defineRoles(auth, stored).current } };
}
