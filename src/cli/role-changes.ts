import { loadConfiguration, configurationReader } from '../config/load.ts';
import { systemClock } from '../clock.ts';
import {
  customRolesInFile,
  customRolesInStore,
  type CustomRoleChanges,
} from '../accounts/roles/custom-roles.ts';
import { defineRoles, readStoredRoles } from '../accounts/roles/role-definitions.ts';
import { createRolesFile } from '../accounts/roles/roles-file.ts';
import { createUsers } from '../accounts/users/users.ts';
import type { CommandContext } from './frame/context.ts';
import type { StoreWork } from './frame/on-store.ts';

/** Changes roles and camera groups where the gate changes them: in a shared store, or else in config.yml. */
export async function roleChanges(
  { environment, root }: CommandContext,
  { store, configuration, keeping: { directory } }: StoreWork,
): Promise<CustomRoleChanges> {
  const users = createUsers(store, systemClock, () => configuration.auth.oidc?.issuer);
  const { change } = store;
  if (configuration.store.url === undefined) {
    const read = configurationReader(environment, root, 'config.yml');
    const check = (text: string) => {
      read(text);
      return () => {};
    };
    const rolesFile = createRolesFile(directory, check);
    return customRolesInFile({ store, change, users, rolesFile, defined: () => configuration.auth.defined });
  }
  const declared = loadConfiguration(environment, root, 'ignored').configuration.auth.defined;
  return customRolesInStore({
    store,
    change,
    users,
    definitions: defineRoles(declared, await readStoredRoles(store)),
    reading: { adopt: () => {} },
    cameras: configuration.cameras,
  });
}
