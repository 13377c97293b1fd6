import { addressKey } from '../identity/limits/failure-limit.ts';
import type { PasswordHasherOptions } from '../identity/users/password-hash.ts';
import { openRoleReading } from '../identity/roles/role-reading.ts';
import { createAlerts } from '../notifications/alerts.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import { createAuditTable } from '../audit/audit-table.ts';
import { systemTimers, type Clock } from '../clock.ts';
import type { ReloadRecord } from '../config/reload-report.ts';
import { lookedForByOthers } from '../store/sqlite/open-store.ts';
import type { Store } from '../store/store.ts';
import type { Logger, LogQueue } from '../telemetry/logger.ts';
import { createTallies } from '../telemetry/tallies.ts';
import { alertSettings } from '../notifications/alert-settings.ts';
import type { Current } from './current.ts';
import { openOwnDatabases, openRecorderDatabase } from './open-databases.ts';
import type { PrimaryProcess } from './primary-process.ts';

export interface ServicesOptions {
  readonly current: Pick<Current, 'configuration' | 'deciding'>;
  /** Directory of the program's data. */
  readonly directory: string;
  readonly logger: Logger;
  readonly log: Pick<LogQueue, 'dropped'>;
  readonly clock: Clock;
  readonly reloads: ReloadRecord;
  readonly passwordHasher?: PasswordHasherOptions;
  /** Set when this process is one of several. */
  readonly primary?: PrimaryProcess | undefined;
  /** Gets a cleanup for everything that is opened. */
  readonly closing: AsyncDisposableStack;
}

/** What every service is built on. */
export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/** Opens the databases. @throws ConfigurationError or the system's error */
export async function openFoundation(options: ServicesOptions) {
  const { current, directory, logger, clock, reloads, primary, closing } = options;
  const { store: configured } = current.configuration();
  const isShared = configured.url !== undefined;
  let onStoreAway = () => {};
  const { store: opened, ...databases } = await openOwnDatabases({
    ...options,
    storeUrl: configured.url,
    onStoreAway: () => onStoreAway(),
  });
  const { activity, rolesVersion } = databases;
  const store =
    primary === undefined ? opened : spreading(opened, primary, isShared ? undefined : lookedForByOthers);
  const roleReading = isShared
    ? await openRoleReading({ store, version: rolesVersion, timers: systemTimers, clock })
    : undefined;
  const alerts = createAlerts({
    store,
    storeVersion: databases.version,
    settings: () => alertSettings(current.configuration()),
    clock,
    timers: systemTimers,
    logger,
    clientOf: addressKey,
    isSender: primary?.writesToRecorder ?? true,
  });
  closing.defer(alerts.close);
  onStoreAway = () => alerts.observe('store_away', { key: 'store', forMs: hour });
  const audit = createAuditLog({
    logger,
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
    logger,
    reloads,
    primary,
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

/**
 * A change that changed the configuration too is complete when every process has applied it, each of them after it can see the change:
 * without their role, users of a role that was removed would be viewers until then.
 * @param seen settles when all others see what was changed before; undefined: they follow the store otherwise
 */
function spreading(
  store: Store,
  { takeSpread }: Pick<PrimaryProcess, 'takeSpread'>,
  seen: (() => Promise<void>) | undefined,
): Store {
  const { change } = store;
  return Object.assign(store, {
    change: async (permit, work) => {
      try {
        const changed = await change(permit, work);
        // At once: the next change may be applied here before it is saved.
        const spread = takeSpread();
        await seen?.();
        await spread();
        return changed;
      } catch (error) {
        // What was applied here cannot be taken back.
        await takeSpread()();
        throw error;
      }
    },
  } satisfies Pick<Store, 'change'>);
}
