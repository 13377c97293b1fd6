import { defineRoles, type RoleDefinitions } from '../accounts/roles/role-definitions.ts';
import type { DefinedRoles } from '../policy/role-access.ts';
import type { RoleReading } from '../accounts/roles/role-reading.ts';
import type { CurrentRoles } from '../access/current-roles.ts';
import type { Stops } from '../accounts/stops/stops.ts';

/** Custom roles of a runtime. */
export interface RuntimeRoles {
  readonly definitions: RoleDefinitions;
  /** Undefined: they are all in the configuration. */
  readonly current: CurrentRoles | undefined;
}

/** Decisions depend on what admins have stopped as they do on the custom roles: both are read again when the store has others. */
export function withStops(
  roles: RuntimeRoles['current'],
  stops: Pick<Stops, 'areCurrent' | 'renew'>,
  current: () => Awaited<ReturnType<CurrentRoles['renew']>>,
): CurrentRoles {
  return {
    areCurrent: () => stops.areCurrent() && roles?.areCurrent() !== false,
    renew: async () => {
      if (!stops.areCurrent()) await stops.renew();
      return roles?.areCurrent() === false ? roles.renew() : current();
    },
  };
}

/**
 * The roles of a new runtime.
 * @param declared roles of config.yml
 * @param current decides by the roles that are known at the moment of the call
 */
export function rolesOfRuntime(
  declared: DefinedRoles,
  reading: RoleReading | undefined,
  current: () => Awaited<ReturnType<CurrentRoles['renew']>>,
): RuntimeRoles {
  const stored = reading?.known();
  const definitions = defineRoles(declared, stored);
  if (reading === undefined || stored === undefined) return { definitions, current: undefined };
  return {
    definitions,
    current: {
      areCurrent: () => reading.areCurrent(stored),
      renew: async () => {
        await reading.renew();
        return current();
      },
    },
  };
}
