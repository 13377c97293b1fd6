import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { createApiTokenUses } from '../api-tokens/api-token-uses.ts';
import { createApiTokens } from '../api-tokens/api-tokens.ts';
import { addressKey, createFailureLimit, type FailureLimit } from '../accounts/failure-limit.ts';
import { createChangeLimit } from '../accounts/change-limit.ts';
import { createWindowsInMemory, type CountedWindows } from '../accounts/counted-windows.ts';
import { createWindowsInStore } from '../accounts/windows-in-store.ts';
import { createPasswordHasher, type PasswordHasherOptions } from '../accounts/password-hash.ts';
import { createFirstRun } from '../accounts/first-run.ts';
import { createProviderPeople } from '../accounts/provider-people.ts';
import { createUsers } from '../accounts/users.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import { createLastLogins } from '../audit/last-logins.ts';
import { createAuditRecords } from '../audit/audit-query.ts';
import { roleChangeEntry } from './role-change-entry.ts';
import { createAuditTable } from '../audit/audit-table.ts';
import type { Configuration } from '../config/configuration.ts';
import { openFilesLimit } from '../config/open-files.ts';
import type { ReloadRecord } from '../config/reload-report.ts';
import type { RecorderDatabase } from '../events/recorder-database.ts';
import { createDecisionLog, type DecisionLog } from '../authorization/decision-log.ts';
import type { SharedServices } from './shared-services.ts';
import { monitor, type OwnState } from './monitoring.ts';
import type { PrimaryProcess } from './primary-process.ts';
import { openOwnDatabases, openRecorderDatabase } from './open-databases.ts';
import { openRecorderServices, type RecorderServices } from './recorder-services.ts';
import { createTurns } from '../store/turns.ts';
import { systemTimers } from '../recorder/timers.ts';
import { countRoles } from '../recorder/list-filter.ts';
import { createRoleReading, type RoleReading } from '../accounts/role-reading.ts';
import { createRevocations, type Revocations } from '../sessions/revocations.ts';
import { keptSessions, type KeptSessions } from './kept-sessions.ts';
import { waitedFor } from './under-way.ts';
import { keptUpstream, noticeBusy, type KeptUpstream } from './kept-upstream.ts';
import { withRoles } from '../accounts/role-definitions.ts';
import { createSessionRegistry, type SessionRegistry } from '../sessions/last-seen.ts';
import type { Sealing } from '../sealing/sealing.ts';
import { createProviderSessions, type ProviderSessions } from '../sign-on/provider-sessions.ts';
import { pruneSignOn } from '../sign-on/prune-sign-on.ts';
import type { Change, Reading } from '../store/permit.ts';
import { createFactors } from '../second-factor/factors.ts';
import type { Store } from '../store/store.ts';
import { endedEntry, exchangesOf } from '../exchanges/listed-exchange.ts';
import { createOpenExchanges } from '../exchanges/open-exchanges.ts';
import { createShareOpenings } from '../shares/share-openings.ts';
import { createShares } from '../shares/shares.ts';
import { createRoundRobin } from '../round-robin.ts';
import type { Logger, LogQueue } from '../telemetry/logger.ts';
import { readUiFiles, type UiFiles } from '../api/ui/ui-files.ts';
import { createWarnOnce } from '../telemetry/warn-once.ts';
import { programDirectory } from '../program-directory.ts';
import { version } from '../version.ts';

/** What is opened once, and stays the same when the configuration changes. */
export interface Services extends RecorderServices {
  /** What every runtime needs of it. */
  readonly shared: SharedServices;
  readonly directory: string;
  readonly clock: Clock;
  readonly revocations: Revocations;
  readonly sessionRegistry: SessionRegistry;
  /** What limits count in. */
  readonly windows: CountedWindows;
  readonly failureLimit: (
    rules: string | undefined,
    what?: Parameters<typeof createFailureLimit>[3],
  ) => FailureLimit;
  readonly upstream: KeptUpstream;
  /** Files and connections that the process may have open at once; undefined: nobody says. */
  readonly openFiles: number | undefined;
  readonly decisions: DecisionLog;
  readonly database: RecorderDatabase;
  /** What this process alone knows of itself. */
  readonly own: OwnState;
  /** Custom roles of a store that several processes share; undefined: all roles stand in config.yml. */
  readonly roleReading: RoleReading | undefined;
  readonly sessions: KeptSessions;
  /** @param sessionLength milliseconds */
  readonly providerSessions: (sealing: Sealing, sessionLength: number) => ProviderSessions;
  /** What goes on in the background, and is waited for at the end. */
  readonly underWay: Set<Promise<unknown>>;
  readonly pruneSignOn: () => Promise<void>;
  /** Changes the accounts' database. */
  readonly change: Change;
  /** Reads it. */
  readonly read: Reading;
}

export interface ServicesOptions {
  /** The current configuration. */
  readonly configuration: () => Configuration;
  /** What decides at this moment, as an object: another one decides otherwise. */
  readonly deciding: () => object | undefined;
  /** Told when the store has other custom roles. */
  readonly onRolesChanged: () => void;
  /** Directory for what the program keeps. */
  readonly directory: string;
  readonly logger: Logger;
  readonly log: Pick<LogQueue, 'dropped'>;
  readonly clock: Clock;
  readonly reloads: ReloadRecord;
  readonly passwordHasher?: PasswordHasherOptions;
  /** This process is one of several. Undefined: it is the only one. */
  readonly primary?: PrimaryProcess | undefined;
  /** Gets what closes everything that is opened. */
  readonly closing: AsyncDisposableStack;
}

const uiDirectory = join(programDirectory, 'dist', 'web');

/** @throws ConfigurationError or the system's error; what was opened by then is closed by `closing` */
export async function openServices(options: ServicesOptions): Promise<Services> {
  const { configuration, directory, logger, log, clock, reloads, primary, closing } = options;
  const isShared = configuration().store.url !== undefined;
  const {
    store: opened,
    counting,
    version: storeVersion,
    rolesVersion,
    knownAt,
    sawRoles: heartbeatSawRoles,
    requireWritable,
    activity,
  } = await openOwnDatabases({
    ...options,
    storeUrl: configuration().store.url,
  });
  const store = primary === undefined ? opened : spreading(opened, primary.spreadToAll);
  const roleReading = isShared
    ? await createRoleReading({
        store,
        version: rolesVersion,
        timers: systemTimers,
        clock,
        onChange: options.onRolesChanged,
      })
    : undefined;
  const sawRoles = (version: number) => {
    heartbeatSawRoles?.(version);
    roleReading?.saw(version);
  };
  const audit = createAuditLog({
    logger,
    table: createAuditTable(activity),
    retention: () => configuration().audit,
    clientOf: addressKey,
    clock,
  });
  closing.defer(audit.close);
  const database = openRecorderDatabase(configuration().eventsDatabase, logger);
  closing.defer(database.close);
  const recorder = openRecorderServices({
    directory,
    clock,
    logger,
    sharedActivity: isShared ? activity : undefined,
    writesToRecorder: primary?.writesToRecorder ?? true,
    onRoleChange: (outcome) => {
      tallies.recorderRoleChanges[outcome.result] += 1;
      const entry = roleChangeEntry(outcome);
      if (entry !== undefined) void audit.record(entry);
    },
    closing,
  });
  const { recorderConfiguration, roleVerification } = recorder;
  const { tallies, monitoring, own } = monitor({
    store,
    requireWritable,
    activity,
    database,
    reloads,
    recorderKnowledge: recorderConfiguration.knowledge,
    recorderRoles: () => countRoles(withRoles(configuration(), roleReading?.known()), roleVerification),
    openExchanges: () => exchanges.count(),
    logger,
    log,
    clock,
    primary,
  });

  const revocations = createRevocations(
    store,
    clock,
    () =>
      logger.warn(
        'the clock went back: every session was ended, since one that was revoked might be good again',
      ),
    sawRoles,
  );
  const apiTokenUses = createApiTokenUses(activity, {
    clock,
    onError: (error) => logger.warn({ err: error }, 'the last use of API tokens was not written'),
  });
  closing.defer(apiTokenUses.close);
  const shareOpenings = createShareOpenings(activity, {
    clock,
    onError: (error) => logger.warn({ err: error }, 'how often shares were opened was not written'),
  });
  closing.defer(shareOpenings.close);
  const sessionRegistry = createSessionRegistry({
    activity,
    clock,
    onFault: (error) => logger.error({ err: error }, 'what sessions do cannot be written down'),
    onRecovery: () => logger.info('what sessions do is written down again'),
  });
  closing.defer(sessionRegistry.close);

  const roundRobin = createRoundRobin();
  const exchanges = createOpenExchanges({
    clock,
    roundRobin,
    signs: [
      storeVersion,
      rolesVersion,
      options.deciding,
      recorderConfiguration.configuration,
      roleVerification.verified,
    ],
    knownAt,
    onFault: (error) => logger.error({ err: error }, 'what is open was not decided again, and was cut'),
    onCut: (exchange, reason) => {
      tallies.exchangesCut[reason] = (tallies.exchangesCut[reason] ?? 0) + 1;
      // Of what an admin cuts there is a record that says which admin.
      if (reason !== 'cut_by_admin') void audit.record(endedEntry(exchange, reason));
    },
  });
  closing.defer(exchanges.close);

  const windows =
    counting === undefined ? (primary?.windows ?? createWindowsInMemory()) : createWindowsInStore(counting);
  const shared = {
    logger,
    warnOnce: createWarnOnce(logger),
    clock,
    sessionRegistry,
    users: createUsers(store, clock, () => configuration().auth.oidc?.issuer),
    providerPeople: createProviderPeople(store, clock),
    factors: createFactors(store, clock),
    firstRun: createFirstRun(store),
    // Half of the connections to a shared store are left for whoever is known.
    apiTokens: createApiTokens(store, clock, storeVersion, isShared ? createTurns(2) : undefined, sawRoles),
    apiTokenUses,
    shares: createShares(store, clock),
    shareOpenings,
    roundRobin,
    exchanges,
    exchangesOfGate: primary?.exchanges ?? exchangesOf(exchanges),
    hasher: createPasswordHasher({
      ...options.passwordHasher,
      onLimited: () => (tallies.limited.password_hashes += 1),
    }),
    changeLimit: createChangeLimit(windows),
    audit,
    auditRecords: createAuditRecords(activity),
    lastLogins: createLastLogins(activity),
    ui: uiFiles(logger),
    tallies,
    monitoring,
    askRecorderAgain: roleVerification.askAgain,
    about: {
      version,
      started: clock.now(),
      reloads: reloads.read,
      recorder: recorderConfiguration.knowledge,
    },
  };
  const latestExpiry = async (id: string) => (await sessionRegistry.find(id))?.expiresAt;
  return {
    shared,
    directory,
    clock,
    revocations,
    sessionRegistry,
    windows,
    failureLimit: (rules, what) =>
      createFailureLimit(rules, windows, () => (tallies.limited.login_failures += 1), what),
    upstream: keptUpstream(closing, {
      onBusy: noticeBusy(tallies, logger),
      onFailure: recorder.onRecorderFailure,
    }),
    openFiles: openFilesLimit(),
    decisions: createDecisionLog(),
    database,
    ...recorder,
    own,
    roleReading,
    sessions: keptSessions({ clock, storeVersion, latestExpiry, tally: tallies.caches.sessions }),
    providerSessions: (sealing, sessionLength) =>
      createProviderSessions({ store, sealing, sessionLength, clock }),
    underWay: waitedFor(closing),
    pruneSignOn: () => pruneSignOn(store, clock),
    change: store.change,
    read: store,
  };
}

/** A change that has changed the configuration too is over when every process has that. */
function spreading(store: Store, spreadToAll: () => Promise<void>): Store {
  const { change } = store;
  return Object.assign(store, {
    change: async (permit, work) => {
      const changed = await change(permit, work);
      await spreadToAll();
      return changed;
    },
  } satisfies Pick<Store, 'change'>);
}

/** What was built stays as it was for the whole process. */
let builtUi: UiFiles | undefined;

function uiFiles(logger: Logger): UiFiles | undefined {
  builtUi ??= readUiFiles(uiDirectory);
  if (builtUi === undefined)
    logger.warn({ directory: uiDirectory }, 'there is no UI: run script/server, or node script/build.ts');
  return builtUi;
}
