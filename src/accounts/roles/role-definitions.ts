import type { Configuration } from '../../config/configuration.ts';
import { expandRoles, type DefinedRoles } from '../../policy/role-access.ts';

/** Which roles and camera groups are defined, and which of them only the configuration can change. */
export interface RoleDefinitions {
  /** In order of precedence: the declared ones first, then those of the store. */
  readonly current: DefinedRoles;
  /** Whether a role is declared in a config.yml that the gate does not write. */
  isFixed(role: string): boolean;
  /** As `isFixed`, for a group of cameras. */
  isFixedGroup(group: string): boolean;
  /** Stored roles that a declared role of the same name overrides. */
  readonly hidden: ReadonlySet<string>;
}

/**
 * @param declared those of config.yml
 * @param stored those made in the UI; undefined: they are written to config.yml as well
 */
export function defineRoles(declared: DefinedRoles, stored: DefinedRoles | undefined): RoleDefinitions {
  if (stored === undefined) {
    const isFixed = () => false;
    return { current: declared, isFixed, isFixedGroup: isFixed, hidden: new Set() };
  }
  const withStored = <T>(ofDeclared: ReadonlyMap<string, T>, ofStored: ReadonlyMap<string, T>) =>
    new Map([...ofDeclared, ...[...ofStored].filter(([name]) => !ofDeclared.has(name))]);
  return {
    current: {
      definitions: withStored(declared.definitions, stored.definitions),
      groups: withStored(declared.groups, stored.groups),
    },
    isFixed: (name) => declared.definitions.has(name),
    isFixedGroup: (name) => declared.groups.has(name),
    hidden: new Set([...stored.definitions.keys()].filter((name) => declared.definitions.has(name))),
  };
}

/** A configuration with the current roles. @param stored as for `defineRoles` */
export function withRoles(configuration: Configuration, stored: DefinedRoles | undefined): Configuration {
  if (stored === undefined) return configuration;
  const { auth } = configuration;
  const defined = defineRoles(auth.defined, stored).current;
  return { ...configuration, auth: { ...auth, defined, roles: expandRoles(defined) } };
}
