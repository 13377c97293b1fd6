import type { CurrentRoles } from '../access/current-roles.ts';
import {
  type CustomRoleChanges,
  customRolesInFile,
  customRolesInStore,
} from '../accounts/roles/custom-roles.ts';
import { type RemoveMadeRole, createRemoveMadeRole } from '../accounts/roles/remove-made-role.ts';
import { type RoleDefinitions, defineRoles } from '../accounts/roles/role-definitions.ts';
import { createRolesFile } from '../accounts/roles/roles-file.ts';
import type { Stops } from '../accounts/stops.ts';
import type { CheckConfiguration } from '../config/configuration-file.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Settings } from '../access/settings/settings.ts';
import type { Services } from './services.ts';

/** Custom roles of one runtime. */
export interface ComposedRoles {
  readonly definitions: RoleDefinitions;
  /** Absent when custom roles come only from the configuration. */
  readonly current: CurrentRoles | undefined;
  /** Loads the current roles. @throws AppError `store_unavailable` */
  readonly requireCurrent: () => Promise<void>;
  readonly custom: CustomRoleChanges;
  readonly removeMade: RemoveMadeRole;
}

interface RolesContext {
  readonly check: CheckConfiguration;
  /** The runtime of the moment of the call, which may be another one. */
  readonly current: () => Awaited<ReturnType<CurrentRoles['renew']>> & { readonly settings: Settings };
}

/** @param declared the configuration of config.yml; a shared store has roles besides */
export function composeRoles(
  declared: Configuration,
  { foundation, accounts }: Pick<Services, 'foundation' | 'accounts'>,
  { check, current }: RolesContext,
): ComposedRoles {
  const { store, directory, requestLog, roleReading: reading } = foundation;
  const { users } = accounts;
  const stored = reading?.known();
  const definitions = defineRoles(declared.auth.defined, stored);
  const currentRoles: CurrentRoles | undefined =
    reading === undefined || stored === undefined
      ? undefined
      : {
          areCurrent: () => reading.areCurrent(stored),
          renew: async () => {
            await reading.renew();
            return current();
          },
        };
  const custom =
    reading === undefined
      ? customRolesInFile({
          store,
          change: store.change,
          users,
          rolesFile: createRolesFile(directory, check),
          defined: () => current().settings.defined,
        })
      : customRolesInStore({
          store,
          change: store.change,
          users,
          definitions,
          reading,
          cameras: declared.cameras,
        });
  return {
    definitions,
    current: currentRoles,
    requireCurrent: async () => {
      if (currentRoles?.areCurrent() === false) await currentRoles.renew();
    },
    custom,
    removeMade: createRemoveMadeRole(custom, (error, role) =>
      requestLog.warn({ err: error, role }, 'the role of an invitation that ended unused was not removed'),
    ),
  };
}

/** Decisions depend on what admins have stopped as they do on the custom roles: both are read again when the store has others. */
export function withStops(
  roles: CurrentRoles | undefined,
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
