import type { Configuration } from '../../config/configuration.ts';
import type { CustomRoles } from '../../policy/grant.ts';
import type { RoleWindows } from '../../policy/role-window.ts';

/** Custom roles, and when those are good that have a window. */
export interface DefinedRoles {
  readonly roles: CustomRoles;
  readonly roleWindows: RoleWindows;
}

/** Which custom roles there are, and which of them nothing but the configuration changes. */
export interface RoleDefinitions {
  /** The current ones, in the order in which they win over each other: the declared ones first, then those of the store. */
  readonly current: DefinedRoles;
  /** Whether a role is declared in config.yml, and the gate does not write that. */
  isFixed(role: string): boolean;
  /** Names that the store has too: the declared role counts. */
  readonly hidden: ReadonlySet<string>;
}

/**
 * @param declared `auth.roles` and `auth.role_windows` of config.yml
 * @param stored roles that were made in the UI; undefined: they are written to config.yml as well
 */
export function defineRoles(declared: DefinedRoles, stored: DefinedRoles | undefined): RoleDefinitions {
  if (stored === undefined) return { current: declared, isFixed: () => false, hidden: new Set() };
  const isDeclared = (name: string) => declared.roles.has(name);
  const withStored = <T>(ofDeclared: ReadonlyMap<string, T>, ofStored: ReadonlyMap<string, T>) =>
    new Map([...ofDeclared, ...[...ofStored].filter(([name]) => !isDeclared(name))]);
  return {
    current: {
      roles: withStored(declared.roles, stored.roles),
      roleWindows: withStored(declared.roleWindows, stored.roleWindows),
    },
    isFixed: isDeclared,
    hidden: new Set([...stored.roles.keys()].filter(isDeclared)),
  };
}

/** A configuration whose custom roles are the current ones. @param stored as for `defineRoles` */
export function withRoles(configuration: Configuration, stored: DefinedRoles | undefined): Configuration {
  if (stored === undefined) return configuration;
  const { auth } = configuration;
  return { ...configuration, auth: { ...auth, ...defineRoles(auth, stored).current } };
}
