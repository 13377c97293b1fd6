import { addressKey } from '../accounts/limits/failure-limit.ts';
import type { PasswordHasherOptions } from '../accounts/users/password-hash.ts';
import { openRoleReading } from '../accounts/roles/role-reading.ts';
import { createAlerts } from '../features/alerts/alerts.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import { createClockTrust } from '../store/clock-trust.ts';
import { createAuditTable } from '../audit/audit-table.ts';
import { systemTimers, type Clock } from '../clock.ts';
import type { ReloadRecord } from '../config/reload-report.ts';
import type { Logger, LogQueue } from '../telemetry/logger.ts';
import { createRequestLog } from '../telemetry/request-log.ts';
import { createTallies } from '../telemetry/tallies.ts';
import { alertSettings } from '../features/alerts/alert-settings.ts';
import type { Current } from './current.ts';
import { openOwnDatabases, openRecorderDatabase } from './open-databases.ts';

export interface ServicesOptions {
  readonly current: Pick<Current, 'configuration' | 'deciding'>;
  /** Directory of the program's data. */
  readonly directory: string;
  readonly logger: Logger;
  readonly log: Pick<LogQueue, 'dropped'>;
  readonly clock: Clock;
  readonly reloads: ReloadRecord;
  readonly passwordHasher?: PasswordHasherOptions;
  /** Gets a cleanup for everything that is opened. */
  readonly closing: AsyncDisposableStack;
}

/** What every service is built on. */
export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/** Opens the databases. @throws ConfigurationError or the system's error */
export async function openFoundation(options: ServicesOptions) {
  const { current, directory, logger, clock, reloads, closing } = options;
  const { store: configured } = current.configuration();
  const isShared = configured.url !== undefined;
  let onStoreAway = () => {};
  const { store, ...databases } = await openOwnDatabases({
    ...options,
    storeUrl: configured.url,
    onStoreAway: () => onStoreAway(),
  });
  const { activity, rolesVersion } = databases;
  const roleReading = isShared
    ? await openRoleReading({ store, version: rolesVersion, timers: systemTimers, clock })
    : undefined;
  const clockTrust = createClockTrust({ store, activity, clock, elapsed: systemTimers.elapsed, logger });
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
  const database = openRecorderDatabase(current.configuration, logger, clock);
  closing.defer(database.close);
  return {
    directory,
    clock,
    /** Whether the clock may delete what is old. */
    clockTrust,
    logger,
    /** For everything that a request can cause. */
    requestLog,
    reloads,
    closing,
    current,
    store,
    /** Writes to the accounts' database. */
    change: store.change,
    /** Reads from it. */
    read: store,
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
      roleReading?.saw(version);
    },
    counting: databases.counting,
    activity,
    /** Of the recorder. */
    database,
    /** Custom roles of a shared store; undefined: they are all in config.yml. */
    roleReading,
    audit,
    alerts,
    tallies: createTallies(),
  };
}

const hour = 3_600_000;
