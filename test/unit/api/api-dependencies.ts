import { guardedEndpoints, openEndpoints, ownPaths, ownRules } from '../../support/every-endpoint.ts';
import { noStoredRoles } from '../accounts/users/shared-store.ts';
import { defineRoles } from '../../../src/accounts/roles/role-definitions.ts';
import { everyFeature } from '../../../src/policy/features.ts';
import { systemClock } from '../../../src/clock.ts';
import type { Settings } from '../../../src/access/settings/settings.ts';
import type { ApiDependencies } from '../../../src/api/api.ts';
import { mount, type Mounted, type ServicesOf } from '../../../src/api/endpoint.ts';
import type { UiDependencies } from '../../../src/api/ui/ui-routes.ts';
import type { EveryEndpoint } from '../../../src/features/index.ts';
import type { Authorization, NoteToken } from '../../../src/access/authorize.ts';
import type { CurrentRoles } from '../../../src/access/current-roles.ts';
import type { LastSeen } from '../../../src/access/last-seen.ts';
import type { FinishLoginDependencies } from '../../../src/api/login/end-login.ts';
import { composeAuthorization, type Identify } from '../../../src/gate/compose-authorization.ts';
import type { PasswordHasher } from '../../../src/accounts/users/password-hash.ts';
import { createDecisionLog } from '../../../src/access/decision-log.ts';
import type { Viewing } from '../../../src/audit/viewing.ts';
import { createAuditLog, type AuditLog } from '../../../src/audit/audit-log.ts';
import { networksOf } from '../../../src/policy/client-address.ts';
import { prepareRules } from '../../../src/policy/rule-tree.ts';
import { prepareRoleResolution } from '../../../src/policy/role-map.ts';
import { lockedRules, recorderRules } from '../../../src/policy/recorder/access-rules.ts';
import { expandRoles, type DefinedRoles } from '../../../src/policy/role-access.ts';
import { createRoundRobin, type RoundRobin } from '../../../src/round-robin.ts';
import { createDisplayCookie } from '../../../src/features/displays/strategy.ts';
import type { Sessions } from '../../../src/accounts/sessions/sessions.ts';
import { sessionCookie, type SessionCookie } from '../../../src/accounts/sessions/session-cookie.ts';
import { createLogger, type Logger, createWarnOnce } from '../../../src/telemetry/logger.ts';
import { createRequestLog } from '../../../src/telemetry/request-log.ts';
import { createTallies, type Tallies } from '../../../src/telemetry/tallies.ts';
import { noSchedules } from '../../support/roles.ts';
import { filtered, known, nothingRecorded } from '../policy/known-cameras.ts';

export type LogLine = Readonly<Record<string, unknown>>;

/** Changes to the gateway below: of its configuration, or another module. */
export type Changes = Partial<Settings & Dependencies>;

type Dependencies = Omit<ApiDependencies, 'authorization'> &
  UiDependencies &
  FinishLoginDependencies &
  Omit<EveryService, 'authorize' | 'evaluate' | 'finishing' | 'pages'> & {
    readonly hasher: PasswordHasher;
    readonly sessions: Sessions;
    readonly cookie: SessionCookie;
    readonly tallies: Tallies;
    readonly identify: Identify;
    readonly noteToken: readonly NoteToken[];
    readonly lastSeen: LastSeen;
    readonly viewing: Pick<Viewing, 'note' | 'flush'>;
    readonly mayRefresh?: (() => Promise<boolean>) | undefined;
    readonly currentRoles?: CurrentRoles | undefined;
    readonly roundRobin: RoundRobin;
    readonly askRecorderAgain: () => void;
  };

type EveryService = ServicesOf<EveryEndpoint>;

const cameras = ['front', 'garage'];
const defined: DefinedRoles = {
  definitions: new Map([['family', { cameras: ['front'] }]]),
  groups: new Map(),
};
const roles = expandRoles(defined);

/** The configuration of these tests. */
export const settings: Settings = {
  rules: {
    roles,
    resolveResource: prepareRules([...ownRules, ...lockedRules, ...recorderRules])(known(cameras)),
    recorded: nothingRecorded,
    internalHosts: new Set<string>(),
    listsAreFiltered: filtered.listsAreFiltered,
    stateOf: noSchedules,
    basePath: '',
  },
  defined,
  features: everyFeature,
  proxySecret: undefined,
  mode: 'proxy',
  proxyIdentity: {
    trustedHeaders: new Set(['remote-user', 'remote-groups']),
    userHeader: 'remote-user',
    roleHeader: 'remote-groups',
    ...prepareRoleResolution({ separator: ',', roleMap: undefined, defaultRole: undefined, roles }),
  },
  issuer: undefined,
  providerLabel: undefined,
  secondFactorFor: new Set(),
  logoutUrl: undefined,
  zone: Temporal.Now.timeZoneId(),
  contact: undefined,
  house: { name: 'Postern', hasPicture: false, isOwn: false, style: undefined },
  landing: 'home',
  frameAncestors: [],
  returnDomains: [],
  isTrustedProxy: networksOf([]),
  roleAtRecorder: filtered.roleAtRecorder,
  allCameras: () => cameras,
  friendlyNames: () => new Map(),
  recorderGroups: () => new Map(),
  liveStreams: (mayBeSeen) =>
    cameras.filter(mayBeSeen).map((camera) => ({ camera, streams: [camera, `${camera}_sub`] })),
  ownFront: undefined,
  cameraGaps: () => ({ unknownCameras: [], unlistedStreams: [] }),
};

/**
 * A gateway behind an upstream proxy, with the cameras `front` and `garage`, and a role `family` that sees
 * `front`. It has no accounts.
 */
export function apiDependencies(changes: Changes = {}): {
  readonly dependencies: Dependencies;
  readonly log: readonly LogLine[];
} {
  const log: LogLine[] = [];
  const write = (line: string) => void log.push(JSON.parse(line) as LogLine);
  const logger = createLogger('debug', { write });
  const dependencies: Dependencies = {
    decisions: createDecisionLog(),
    logger: createRequestLog({ logger, clientOf: (address) => address }),
    warnOnce: createWarnOnce(logger),
    clock: systemClock,
    settings: { ...settings, ...changes },
    events: { fault: () => undefined },
    ownPaths,
    identify: {},
    noteToken: [],
    endCredential: [],
    openRequests: undefined,
    renames: absent('renames'),
    lostCameras: absent('lostCameras'),
    ofPeople: [],
    findLastWatched: absent('findLastWatched'),
    authenticateSession: () => ({ refused: 'no_session' }),
    authenticateAccount: () => ({ refused: 'no_session' }),
    lastSeen: { note: () => undefined, noteIssued: () => undefined },
    current: absent('current'),
    sessions: absent('sessions'),
    sessionRegistry: absent('sessionRegistry'),
    activeSessions: absent('liveSessions'),
    cookie: sessionCookie('session_token'),
    cookieHeader: absent('cookieHeader'),
    users: absent('users'),
    shares: absent('shares'),
    shareUnlocks: absent('shareUnlocks'),
    shareRules: { enabled: true, longest: 2_592_000_000, mostPerUser: 100, publicUrl: undefined },
    shareCookie: absent('shareCookie'),
    unlockShare: absent('unlockShare'),
    housePicture: undefined,
    houseFile: absent('houseFile'),
    settingsFile: absent('settingsFile'),
    recordedThings: absent('recordedThings'),
    factors: absent('factors'),
    factorLogin: absent('factorLogin'),
    stepUp: absent('stepUp'),
    passkeys: absent('passkeys'),
    sealing: absent('sealing'),
    provider: undefined,
    signOn: undefined,
    federatedUsers: absent('federatedUsers'),
    providerSessions: absent('providerSessions'),
    sessionLength: 0,
    failureLimit: absent('failureLimit'),
    recordDecision: () => '',
    lastLogins: absent('lastLogins'),
    firstRun: absent('firstRun'),
    certificateEnds: () => undefined,
    losses: {},
    alerts: absent('alerts'),
    viewing: { note: () => true, flush: async () => undefined },
    pushSubscriptions: absent('pushSubscriptions'),
    pushKey: absent('pushKey'),
    pushServices: [],
    findWatched: absent('findWatched'),
    recordsViewing: false,
    emails: absent('emails'),
    accessRequests: absent('accessRequests'),
    servesSample: false,
    recorderAddress: absent('recorderAddress'),
    hasSampleDatabase: false,
    apiTokens: absent('apiTokens'),
    apiTokenUses: absent('apiTokenUses'),
    displays: absent('displays'),
    displayCredentials: absent('displayCredentials'),
    displayCookie: createDisplayCookie(),
    pairingCodes: absent('pairingCodes'),
    invitations: absent('invitations'),
    invitationLimit: absent('invitationLimit'),
    nameLimit: absent('nameLimit'),
    removeMadeRole: async () => undefined,
    pairingLimit: absent('pairingLimit'),
    codeLimit: absent('codeLimit'),
    publicUrl: undefined,
    read: absent('read'),
    roundRobin: createRoundRobin(),
    streamsOfGate: absent('streamsOfGate'),
    stops: absent('stops'),
    hasher: absent('hasher'),
    login: absent('login'),
    changeLimit: absent('changeLimit'),
    customRoles: absent('roles'),
    personalRoles: absent('personalRoles'),
    roleDefinitions: defineRoles(defined, { ...noStoredRoles, isShared: false }),
    requireCurrentRoles: async () => undefined,
    recorderRoles: absent('recorderRoles'),
    tallies: createTallies(),
    monitoring: () => undefined,
    about: absent('about'),
    askRecorderAgain: () => {},
    audit: auditInLog(logger),
    auditRecords: absent('auditRecords'),
    hasRecorder: false,
    openapi: () => '{}',
    ...changes,
  };
  return { dependencies, log };
}

/** All endpoints, with the same services. */
export function mountEvery(
  dependencies: Dependencies & Partial<Pick<Authorization, 'authorize' | 'evaluate'>>,
): {
  readonly open: readonly Mounted[];
  readonly guarded: readonly Mounted[];
} {
  const services = { ...dependencies, finishing: dependencies, pages: dependencies };
  return {
    open: mount(openEndpoints, services as never),
    guarded: mount(guardedEndpoints, services as never),
  };
}

/** The pipeline of the gateway above. */
export function authorizationOf(dependencies: Dependencies): Authorization {
  const { audit, clock, logger, tallies, roundRobin, askRecorderAgain, decisions, viewing } = dependencies;
  const { settings, sessions, cookie, lastSeen, mayRefresh, identify, noteToken, currentRoles } =
    dependencies;
  return composeAuthorization(
    {
      foundation: { audit, clock, requestLog: logger, tallies, roundRobin },
      recorder: { askRecorderAgain },
      watching: { stills: { note: () => undefined }, viewing },
      records: { decisions },
      features: noteToken.map((note) => ({ noteToken: note })),
    },
    {
      settings,
      upkeep: { sessions, cookie, lastSeen, mayRefresh },
      identify,
      currentRoles,
      recordsViewing: true,
    },
  );
}

/** An audit whose records are only in the log, as with `audit.keep_days: 0`. */
export function auditInLog(logger: Logger): AuditLog {
  const requestLog = createRequestLog({ logger, clientOf: (address) => address });
  return createAuditLog({
    logger,
    requestLog,
    table: absent('table'),
    retention: () => ({ keepDays: 0, keepRefusals: 0 }),
    clientOf: (address) => address,
    clock: systemClock,
  });
}

/** A dependency that must not be asked. */
function absent(name: string): never {
  return new Proxy(
    {},
    {
      get: (_, property) => () => {
        throw new Error(`${name}.${String(property)} was asked`);
      },
    },
  ) as never;
}
