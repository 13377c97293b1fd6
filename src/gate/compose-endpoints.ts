import { authenticateBy } from '../access/authentication/authenticate.ts';
import type { Authorization } from '../access/authorize.ts';
import { houseFileOf } from '../access/settings/house.ts';
import { settingsFileOf } from '../access/settings/settings-file.ts';
import type { Settings } from '../access/settings/settings.ts';
import type { MountedEndpoints } from '../api/api.ts';
import { mountGroups, type ServicesOfGroups } from '../api/endpoint.ts';
import type { FinishLoginDependencies } from '../api/login/end-login.ts';
import { openapiDocument, operationsOf } from '../api/openapi/openapi-document.ts';
import type { EndpointLists } from '../api/own-paths.ts';
import type { CurrentRuntime } from '../api/permit.ts';
import type { UiDependencies } from '../api/ui/ui-routes.ts';
import type { CheckConfiguration } from '../config/configuration-file.ts';
import type { Configuration } from '../config/configuration.ts';
import { findRecorderDatabase } from '../events/find-recorder-database.ts';
import { hasSampleDatabase } from '../events/sample.ts';
import type { Composed } from '../features/feature.ts';
import { lastingEndpoints } from '../features/index.ts';
import { keepLatest } from '../keep-latest.ts';
import type { Recorder } from '../recorder/connect-recorder.ts';
import { recorderAddressOf } from '../recorder/recorder-address.ts';
import { recorderRolesOf } from '../recorder/recorder-roles.ts';
import { accountStrategies, type Identify } from './compose-authorization.ts';
import type { ComposedRoles } from './compose-roles.ts';
import type { SignIn } from './compose-sign-in.ts';
import type { Services } from './services.ts';

/** Everything of one configuration that endpoints use. */
export interface EndpointParts {
  readonly configuration: Configuration;
  readonly settings: Settings;
  readonly recorder: Recorder | undefined;
  readonly roles: ComposedRoles;
  readonly signIn: SignIn;
  readonly finishing: FinishLoginDependencies;
  readonly pages: UiDependencies;
  readonly features: readonly Composed[];
  readonly identify: Identify;
  readonly authorization: Authorization;
  /** Milliseconds since the epoch; `undefined` without a certificate. */
  readonly certificateEnds: number | undefined;
  readonly context: EndpointContext;
}

interface EndpointContext {
  /** As for `createConfigurationFile`. */
  readonly check: CheckConfiguration;
  /** Reads a text as config.yml. @throws ConfigurationError */
  readonly readConfiguration: (text: string) => Configuration;
  /** The runtime of the moment of the call, which may be another one. */
  readonly current: () => CurrentRuntime;
}

/** Gives each group of endpoints its services. */
export function composeEndpoints(services: Services, parts: EndpointParts): MountedEndpoints {
  const { features } = parts;
  return {
    open: [
      ...mountGroups(lastingEndpoints.open, openGroups(services, parts)),
      ...features.flatMap(({ open }) => open),
    ],
    guarded: [
      ...mountGroups(lastingEndpoints.guarded, guardedGroups(services, parts)),
      ...features.flatMap(({ guarded }) => guarded),
    ],
  };
}

function openGroups(
  { foundation, accounts, sessions }: Services,
  { settings, signIn, finishing, pages, identify, authorization, context }: EndpointParts,
): ServicesOfGroups<typeof lastingEndpoints.open> {
  const { audit, clock, requestLog: logger } = foundation;
  const { sessionRegistry } = sessions;
  const { cookie, sealing, secondFactor, oidc } = signIn;
  const { signOn, providerSessions, providerLogout } = oidc;
  return {
    login: {
      settings,
      authorize: authorization.authorize,
      finishing,
      login: signIn.login,
      factorLogin: secondFactor.factorLogin,
      passkeys: secondFactor.passkeys,
      signOn,
      users: accounts.users,
    },
    logout: {
      settings,
      authenticateAccount: authenticateBy(accountStrategies(settings, signIn, identify.bearer)),
      sessions: signIn.sessions,
      sessionRegistry,
      cookie,
      providerLogout,
      audit,
      logger,
    },
    loginPage: { pages, passkeys: secondFactor.passkeys, users: accounts.users },
    files: pages,
    oidcLogout: { settings, signOn, providerSessions, providerLogout, sessionRegistry, audit, logger },
    oidc: {
      finishing,
      current: context.current,
      signOn,
      sealing,
      federatedUsers: accounts.federatedUsers,
      providerSessions,
      sessionLength: oidc.sessionLength,
      failureLimit: oidc.failureLimit,
      changeLimit: accounts.changeLimit,
      recordDecision: authorization.record,
      clock,
    },
  };
}

function guardedGroups(
  services: Services,
  parts: EndpointParts,
): ServicesOfGroups<typeof lastingEndpoints.guarded> {
  const { foundation, accounts, watching, records, about } = services;
  const { audit, alerts, clock, losses, store, requestLog: logger } = foundation;
  const { users, factors, changeLimit, stops, hasher } = accounts;
  const { configuration, settings, signIn, roles, features, context } = parts;
  const { sessions, activeSessions, cookieHeader, sealing, login } = signIn;
  const { passkeys, stepUp } = signIn.secondFactor;
  const provider = configuration.auth.oidc;
  const { providerSessions } = signIn.oidc;
  const requireCurrentRoles = roles.requireCurrent;
  const recordsViewing = configuration.audit.viewing !== false;
  const ofPeople = features.flatMap((feature) => feature.ofPeople ?? []);
  const files = filesOf(services, parts);
  const ofRoles = {
    settings,
    customRoles: roles.custom,
    roleDefinitions: roles.definitions,
    requireCurrentRoles,
    read: store,
    audit,
    logger,
  };
  return {
    profile: { settings, servesSample: parts.pages.servesSample },
    users: {
      settings,
      users,
      hasher,
      login,
      changeLimit,
      sessions,
      cookieHeader,
      lastLogins: records.lastLogins,
      read: store,
      audit,
      clock,
      logger,
    },
    factors: {
      settings,
      factors,
      passkeys,
      sealing,
      provider,
      providerSessions,
      sessions,
      cookieHeader,
      changeLimit,
      audit,
      clock,
    },
    stepUp: { settings, stepUp, passkeys, login, sessions, cookieHeader, audit },
    roles: ofRoles,
    people: {
      settings,
      users,
      activeSessions,
      streamsOfGate: watching.streamsOfGate,
      stops,
      lastLogins: records.lastLogins,
      findLastWatched: recordsViewing ? records.findLastWatched : undefined,
      ofPeople,
      requireCurrentRoles,
      read: store,
      clock,
      logger,
    },
    accessOfPeople: {
      settings,
      current: context.current,
      users,
      customRoles: roles.custom,
      personalRoles: roles.personal,
      ofPeople,
      requireCurrentRoles,
      read: store,
      audit,
    },
    cameraGroups: ofRoles,
    lostCameras: {
      settings,
      about,
      lostCameras: services.recorder.lostCameras,
      renames: roles.cameraRenames,
      audit,
      logger,
    },
    recorderRoles: {
      settings,
      users,
      recorderRoles: recorderRolesOf(
        configuration,
        services.recorder.roleManagement,
        services.recorder.roleVerification,
      ),
    },
    sessions: { settings, activeSessions, users, sessions, changeLimit, cookieHeader, audit },
    streams: {
      settings,
      streamsOfGate: watching.streamsOfGate,
      activeSessions,
      endCredential: services.features.flatMap(({ endCredential }) => endCredential ?? []),
      stops,
      audit,
      clock,
    },
    explanations: {
      settings,
      users,
      clock,
      read: store,
      requireCurrentRoles,
      evaluate: parts.authorization.evaluate,
      decisions: records.decisions,
      auditRecords: records.auditRecords,
    },
    records: {
      settings,
      auditRecords: records.auditRecords,
      clock,
      viewing: watching.viewing,
      findWatched: records.findWatched,
      recordsViewing,
    },
    installation: {
      settings,
      about,
      recorderAddress: files.recorderAddress,
      hasSampleDatabase: hasSampleDatabase(configuration),
      houseFile: files.houseFile,
      settingsFile: files.settingsFile,
      audit,
      clock,
    },
    findings: {
      settings,
      about,
      events: foundation.database,
      clock,
      certificateEnds: () => parts.certificateEnds,
      firstRun: accounts.firstRun,
      losses,
      users,
      servesSample: parts.pages.servesSample,
      provider,
      providerSessions,
      lostCameras: services.recorder.lostCameras,
      openRequests: features.find(({ openRequests }) => openRequests !== undefined)?.openRequests,
      alerts,
    },
    program: { settings, about, openapi: () => openapiOf(services.endpoints) },
    alerts: {
      settings,
      alerts,
      emails: accounts.emails,
      settingsFile: files.settingsFile,
      changeLimit,
      audit,
      clock,
    },
  };
}

/** The files in the data directory that admins change by the UI. */
function filesOf(
  { foundation: { store, directory } }: Services,
  { configuration, recorder, context: { check, readConfiguration } }: EndpointParts,
) {
  const { change } = store;
  return {
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
  };
}

/** Written at the first use. */
const openapiOf = keepLatest(
  (endpoints: EndpointLists) => `${JSON.stringify(openapiDocument(operationsOf(endpoints)), null, 2)}\n`,
);
