import type { Configuration } from '../config/configuration.ts';
import type { CustomRoles } from '../policy/grant.ts';

/** Which custom roles there are, and which of them nothing but the configuration changes. */
export interface RoleDefinitions {
  /** The current ones, in the order in which they win over each other: the declared ones first, then those of the store. */
  readonly current: CustomRoles;
  /** Whether a role is declared in config.yml, and the gate does not write that. */
  isFixed(role: string): boolean;
  /** Names that the store has too: the declared role counts. */
  readonly hidden: ReadonlySet<string>;
}

/**
 * @param declared `auth.roles` of config.yml
 * @param stored roles that were made in the UI; undefined: they are written to config.yml as well
 */
export function defineRoles(declared: CustomRoles, stored: CustomRoles | undefined): RoleDefinitions {
  if (stored === undefined) return { current: declared, isFixed: () => false, hidden: new Set() };
  return {
    current: new Map([...declared, ...[...stored].filter(([name]) => !declared.has(name))]),
    isFixed: (role) => declared.has(role),
    hidden: new Set([...stored.keys()].filter((name) => declared.has(name))),
  };
}

/** A configuration whose custom roles are the current ones. @param stored as for `defineRoles` */
export function withRoles(configuration: Configuration, stored: CustomRoles | undefined): Configuration {
  if (stored === undefined) return configuration;
  const { auth } = configuration;
  return { ...configuration, auth: { ...auth, roles: defineRoles(auth.roles, stored).current } };
}
