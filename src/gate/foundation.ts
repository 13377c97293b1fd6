import { mkdirSync } from 'node:fs';
import type { Kysely } from 'kysely';
import { addressKey } from '../accounts/limits/failure-limit.ts';
import { openRoleReading } from '../accounts/roles/role-reading.ts';
import type { PasswordHasherOptions } from '../accounts/users/password-hash.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import { createAuditTable } from '../audit/audit-table.ts';
import { type Clock, systemTimers } from '../clock.ts';
import type { Configuration } from '../config/configuration.ts';
import type { ReloadRecord } from '../config/reload-report.ts';
import { type RecorderDatabase, recorderDatabase } from '../events/recorder-database.ts';
import { createRoundRobin } from '../round-robin.ts';
import { isSample, sampleRows } from '../events/sample.ts';
import { alertSettings } from '../features/alerts/send-to-all.ts';
import { createAlerts } from '../features/alerts/alerts.ts';
import { createClockTrust } from '../store/clock-trust.ts';
import { openTrustedTime } from '../store/trusted-time.ts';
import type { SharingTables } from '../store/sharing-schema.ts';
import { openActivityAnyway } from '../store/sqlite/activity.ts';
import type { OpeningNotices } from '../store/sqlite/open-database.ts';
import { activityPath, openVersionedStore, storePath } from '../store/sqlite/open-store.ts';
import type { Activity, VersionedStore } from '../store/store.ts';
import { createWarnOnce, type LogQueue, type Logger } from '../telemetry/logger.ts';
import { createRequestLog, type RequestLog } from '../telemetry/request-log.ts';
import { createTallies } from '../telemetry/tallies.ts';
import type { Current } from './current.ts';
import type { Losses } from './losses.ts';

export interface ServicesOptions {
  readonly current: Pick<Current, 'configuration' | 'deciding'>;
  /** Directory of the program's data. */
  readonly directory: string;
  readonly logger: Logger;
  readonly log: Pick<LogQueue, 'dropped'>;
  /** The machine's. */
  readonly clock: Clock;
  readonly reloads: ReloadRecord;
  readonly passwordHasher?: PasswordHasherOptions | undefined;
  /** Gets a cleanup for everything that is opened. */
  readonly closing: AsyncDisposableStack;
}

/** The ground of every service. */
export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/** Opens the databases. @throws ConfigurationError or the system's error */
export async function openFoundation(options: ServicesOptions) {
  const { current, directory, logger, clock: machine, reloads, closing } = options;
  const { store: configured } = current.configuration();
  const isShared = configured.url !== undefined;
  let onStoreAway = () => {};
  const databases = await openOwnDatabases({
    storeUrl: configured.url,
    directory,
    logger,
    clock: machine,
    onStoreAway: () => onStoreAway(),
    closing,
  });
  const { store, activity, rolesVersion } = databases;
  const { elapsed } = systemTimers;
  const time = await openTrustedTime({ store, activity, machine, elapsed });
  const clock: Clock = time.clock;
  const roleReading = await openRoleReading({
    store,
    version: rolesVersion,
    timers: systemTimers,
    clock,
    isShared,
  });
  const clockTrust = createClockTrust({ store, activity, clock, elapsed, logger });
  const alerts = createAlerts({
    store,
    storeVersion: databases.version,
    settings: () => alertSettings(current.configuration()),
    clock,
    isClockRight: clockTrust.isTrusted,
    timers: systemTimers,
    logger,
    clientOf: addressKey,
  });
  closing.defer(alerts.close);
  onStoreAway = () => alerts.observe('store_away', { key: 'store', forMs: hour });
  const requestLog = createRequestLog({ logger, clientOf: addressKey });
  closing.defer(requestLog.close);
  const audit = createAuditLog({
    logger,
    requestLog,
    table: createAuditTable(activity),
    retention: () => current.configuration().audit,
    onRecord: alerts.note,
    clientOf: addressKey,
    clock,
  });
  closing.defer(audit.close);
  const database = openRecorderDatabase(current.configuration, requestLog, clock);
  closing.defer(database.close);
  return {
    directory,
    /** Everything is made and expires by it. */
    clock,
    /** Keeps its time across restarts, and between gates. */
    time,
    /** Whether the clock may delete what is old. */
    clockTrust,
    logger,
    /** For everything that a request can cause. */
    requestLog,
    warnOnce: createWarnOnce(logger),
    /** For slow work, so that nothing waits for it. */
    roundRobin: createRoundRobin(),
    reloads,
    closing,
    current,
    /** Accounts, and everything that they gave out. */
    store,
    /** The store is shared by several gates. */
    isShared,
    /** Whether the store is still the same, and since when that is known. */
    storeVersion: databases.version,
    rolesVersion,
    knownAt: databases.knownAt,
    requireWritable: databases.requireWritable,
    /** Called with the version of the roles that was read beside an account. */
    sawRoles: (version: number) => {
      databases.sawRoles?.(version);
      roleReading.saw(version);
    },
    counting: databases.counting,
    activity,
    /** The recorder's database. */
    database,
    /** Roles in the store: those made for one person, and with a shared store all that were made in the UI. */
    roleReading,
    audit,
    alerts,
    /** What a start found to be gone. */
    losses: {} as Losses,
    tallies: createTallies(),
  };
}

const hour = 3_600_000;

// A change has waited for the lock before it begins; while a statement waits, so do all decisions.
const storeLockTimeout = 250;

// A record that could not be written is written with the next ones: nothing has to wait for it.
const activityLockTimeout = 25;

interface DatabasesOptions {
  /** URL of a store that several gates share. Absent when this gate has files of its own. */
  readonly storeUrl: string | undefined;
  /** Directory of the program's data. */
  readonly directory: string;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Called when a shared store no longer answers. */
  readonly onStoreAway: () => void;
  /** Gets a cleanup for everything that is opened. */
  readonly closing: AsyncDisposableStack;
}

interface OwnDatabases extends VersionedStore {
  readonly activity: Activity;
  /** For limits that several gates count together. Absent when this one counts by itself. */
  readonly counting?: Kysely<SharingTables>;
}

/**
 * The accounts' database, which is required, and the activity database, which is not.
 * @throws ConfigurationError or the system's error; `closing` then closes what was opened
 */
async function openOwnDatabases(options: DatabasesOptions): Promise<OwnDatabases> {
  const { storeUrl, directory, logger, closing } = options;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (storeUrl === undefined) return openFiles(options);
  // Without a shared store the driver is not loaded, which saves its memory.
  const { openSharedStore } = await import('../store/postgres/open-store.ts');
  const shared = await openSharedStore(storeUrl, {
    clock: options.clock,
    onTrouble: (error) => {
      logger.error(
        { err: error },
        'the store does not answer: until it does, every request that needs it is refused',
      );
      options.onStoreAway();
    },
    onWait: (error) => logger.warn({ err: error }, 'the store does not answer yet: this waits for it'),
    onRecovery: () => logger.info('the store answers again'),
  });
  closing.defer(() => shared.store.destroy());
  return shared;
}

async function openFiles({ directory, logger, clock, closing }: DatabasesOptions): Promise<OwnDatabases> {
  // First, since it blocks a restore, and detects one that was interrupted.
  const versioned = await openVersionedStore(
    storePath(directory),
    storeLockTimeout,
    openingNotices(logger, 'postern.db'),
  );
  closing.defer(() => versioned.store.destroy());
  const activity = await openActivityAnyway(activityPath(directory), {
    lockTimeout: activityLockTimeout,
    now: clock.now(),
    notices: openingNotices(logger, 'activity.db'),
    onTrouble: ({ error, movedTo }) =>
      movedTo === undefined
        ? logger.error({ err: error }, 'activity.db cannot be used: until a restart what is done is not kept')
        : logger.error(
            { err: error, movedTo },
            'activity.db is damaged: it was moved aside, and a new one begun',
          ),
  });
  closing.defer(() => activity.destroy());
  return { ...versioned, activity };
}

/**
 * The gate runs without this database, and tries to open it again with each request.
 * @param configuration of the moment of the call: its recorder ends the sample
 */
function openRecorderDatabase(
  configuration: () => Pick<Configuration, 'eventsDatabase' | 'upstream'>,
  logger: Pick<RequestLog, 'warn' | 'info'>,
  clock: Clock,
): RecorderDatabase {
  const { eventsDatabase: path } = configuration();
  if (path === undefined)
    return recorderDatabase(
      sampleRows(
        () => clock.now() / 1000,
        () => isSample(configuration()),
      ),
    );
  const database = recorderDatabase(path, systemTimers.elapsed, (found) => {
    if (found === undefined) logger.info({}, `events.database: ${path} can be read again`);
    else
      logger.warn(
        { fault: found.fault },
        `events.database: ${path} is ${found.text}: events get 503, and custom roles can open none, until this is fixed`,
      );
  });
  database.fault();
  return database;
}

function openingNotices(logger: Logger, name: string): OpeningNotices {
  return {
    copied: (copy) => logger.info({ copy }, `${name} is upgraded; the copy is as it was before`),
    alone: () =>
      logger.warn(`${name} is on a full disk: until a restart no command can use it beside Postern`),
  };
}
