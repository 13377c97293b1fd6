import type { CurrentRoles } from '../access/current-roles.ts';
import { type CameraRenames, cameraRenames } from '../accounts/cameras/rename-camera.ts';
import {
  type CustomRoleChanges,
  customRolesInFile,
  customRolesInStore,
} from '../accounts/roles/custom-roles.ts';
import { removeCopiedLines } from '../accounts/roles/copied-roles.ts';
import { type PersonalRoleChanges, personalRolesInStore } from '../accounts/roles/personal-role-changes.ts';
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
  readonly current: CurrentRoles;
  /** Loads the current roles. @throws AppError `store_unavailable` */
  readonly requireCurrent: () => Promise<void>;
  readonly custom: CustomRoleChanges;
  readonly personal: PersonalRoleChanges;
  /** Gives everything that names a camera its new name. */
  readonly cameraRenames: CameraRenames;
  readonly removeMade: RemoveMadeRole;
  /** Removes what config.yml has of personal roles, a month after it was copied. @throws as `RolesFile.forget` */
  readonly removeCopied: () => Promise<void>;
}

interface RolesContext {
  readonly check: CheckConfiguration;
  /** The runtime of the moment of the call, which may be another one. */
  readonly current: () => Awaited<ReturnType<CurrentRoles['renew']>> & { readonly settings: Settings };
}

/** @param declared the configuration of config.yml; the store has roles besides */
export function composeRoles(
  declared: Configuration,
  { foundation, accounts }: Pick<Services, 'foundation' | 'accounts'>,
  { check, current }: RolesContext,
): ComposedRoles {
  const { store, directory, isShared, requestLog, roleReading: reading } = foundation;
  const { change } = store;
  const { users } = accounts;
  const stored = reading.known();
  const definitions = defineRoles(declared.auth.defined, stored);
  const currentRoles: CurrentRoles = {
    areCurrent: () => reading.areCurrent(stored),
    renew: async () => {
      await reading.renew();
      return current();
    },
  };
  const defined = () => current().settings.defined;
  const { cameras } = declared;
  const rolesFile = createRolesFile(directory, check);
  const personal = personalRolesInStore({ store, change, reading, defined, cameras });
  return {
    definitions,
    current: currentRoles,
    requireCurrent: async () => {
      if (!currentRoles.areCurrent()) await currentRoles.renew();
    },
    custom: isShared
      ? customRolesInStore({ store, change, users, definitions, reading, cameras })
      : customRolesInFile({ store, change, users, rolesFile, reading, defined }),
    personal,
    cameraRenames: cameraRenames({
      change,
      rolesFile,
      reading,
      isShared,
      declared: { cameras, defined: declared.auth.defined },
      defined,
      clock: foundation.clock,
    }),
    removeMade: createRemoveMadeRole(personal, (error, role) =>
      requestLog.warn({ err: error, role }, 'the role of an invitation that ended unused was not removed'),
    ),
    removeCopied: () => removeCopiedLines(store, rolesFile, declared.auth.defined, foundation.clock),
  };
}

/** Decisions depend on what admins have stopped as they do on the custom roles: both are read again when the store has others. */
export function withStops(
  roles: CurrentRoles,
  stops: Pick<Stops, 'areCurrent' | 'renew'>,
  current: () => Awaited<ReturnType<CurrentRoles['renew']>>,
): CurrentRoles {
  return {
    areCurrent: () => stops.areCurrent() && roles.areCurrent(),
    renew: async () => {
      if (!stops.areCurrent()) await stops.renew();
      return roles.areCurrent() ? current() : roles.renew();
    },
  };
}
