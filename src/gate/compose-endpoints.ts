import type { CurrentRoles } from '../access/current-roles.ts';
import { settingsFileOf } from '../access/settings/settings-file.ts';
import { houseFileOf } from '../access/settings/house-file.ts';
import { customRolesInFile, customRolesInStore } from '../accounts/roles/custom-roles.ts';
import { createRemoveMadeRole } from '../accounts/roles/remove-made-role.ts';
import { type RoleDefinitions, defineRoles } from '../accounts/roles/role-definitions.ts';
import type { RoleReading } from '../accounts/roles/role-reading.ts';
import { createRolesFile } from '../accounts/roles/roles-file.ts';
import type { Stops } from '../accounts/stops.ts';
import { openapiDocument, operationsOf } from '../api/openapi/openapi-document.ts';
import type { EndpointLists } from '../api/own-paths.ts';
import type { CurrentRuntime } from '../api/permit.ts';
import type { CheckConfiguration } from '../config/configuration-file.ts';
import { findRecorderDatabase } from '../events/find-recorder-database.ts';
import type { Configuration } from '../config/configuration.ts';
import { hasSampleDatabase, servesSample } from '../events/sample.ts';
import { keepLatest } from '../keep-latest.ts';
import type { DefinedRoles } from '../policy/role-access.ts';
import type { Recorder } from '../recorder/connect-recorder.ts';
import { recorderAddressOf } from '../recorder/recorder-address.ts';
import { recorderRolesOf } from '../recorder/recorder-roles.ts';
import type { Services } from './services.ts';

interface EndpointsContext {
  readonly recorder: Recorder | undefined;
  readonly roles: RuntimeRoles;
  /** As for `createConfigurationFile`. */
  readonly check: CheckConfiguration;
  /** Reads a text as config.yml. @throws ConfigurationError */
  readonly readConfiguration: (text: string) => Configuration;
  /** The runtime of the moment of the call, which may be another one. */
  readonly current: () => CurrentRuntime;
}

/** The services that only endpoints use, for one configuration. */
export function composeEndpoints(
  configuration: Configuration,
  { recorder, roles, check, readConfiguration, current }: EndpointsContext,
  services: Services,
) {
  const { read, change, users, directory, requestLog, roleReading } = services;
  const { roleManagement, roleVerification, endpoints } = services;
  const { definitions } = roles;
  const customRoles =
    roleReading === undefined
      ? customRolesInFile({
          store: read,
          change,
          users,
          rolesFile: createRolesFile(directory, check),
          defined: () => current().settings.defined,
        })
      : customRolesInStore({
          store: read,
          change,
          users,
          definitions,
          reading: roleReading,
          cameras: configuration.cameras,
        });
  return {
    customRoles,
    removeMadeRole: createRemoveMadeRole(customRoles, (error, role) =>
      requestLog.warn({ err: error, role }, 'the role of an invitation that ended unused was not removed'),
    ),
    roleDefinitions: definitions,
    requireCurrentRoles: async () => {
      if (roles.current?.areCurrent() === false) await roles.current.renew();
    },
    recorderRoles: recorderRolesOf(configuration, roleManagement, roleVerification),
    recorderAddress: recorderAddressOf(configuration, recorder, {
      change,
      directory,
      check,
      findDatabase: () => findRecorderDatabase(directory),
    }),
    settingsFile: settingsFileOf(configuration, {
      change,
      directory,
      check,
      text: () => configuration.source,
      readConfiguration,
    }),
    houseFile: houseFileOf(configuration, change, directory, check),
    hasRecorder: configuration.upstream !== undefined,
    hasSampleDatabase: hasSampleDatabase(configuration),
    servesSample: servesSample(configuration),
    openapi: () => openapiOf(endpoints),
  };
}

/** Written at the first use. */
const openapiOf = keepLatest(
  (endpoints: EndpointLists) => `${JSON.stringify(openapiDocument(operationsOf(endpoints)), null, 2)}\n`,
);

/** Custom roles of a runtime. */
export interface RuntimeRoles {
  readonly definitions: RoleDefinitions;
  /** Absent when custom roles come only from the configuration. */
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
