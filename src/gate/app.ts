import { adoptEarlierRoles, copyDeclaredRoles } from '../accounts/roles/copied-roles.ts';
import { followRoles } from '../accounts/roles/role-reading.ts';
import { reloadEntry, startedEntry } from '../audit/audit-entry.ts';
import { systemTimers, type Clock } from '../clock.ts';
import { keepInEffect, requireWhole } from '../config/applied-configuration.ts';
import { appliedFile } from '../config/applied-text.ts';
import { requireForeignUpstream } from '../config/own-upstream.ts';
import { keepListeners } from '../config/changes.ts';
import type { Configuration } from '../config/configuration.ts';
import { createReloadRecord, type ReloadRecord } from '../config/reload-report.ts';
import { AppError } from '../errors.ts';
import { shareDirectory } from '../store/sqlite/directory-lock.ts';
import { withCleanup } from '../store/store.ts';
import type { Logger } from '../telemetry/logger.ts';
import { beginOnce, requireBeginning, type BeginningOptions } from './begin-once.ts';
import { createCurrent, type Current } from './current.ts';
import { eventsListeners, privateSocket } from './events-listeners.ts';
import {
  firstGateFiles,
  type GateFiles,
  readGateFiles,
  readRuntimeFiles,
  type RuntimeFiles,
  watchedFiles,
} from './gate-files.ts';
import { answerOnceReady, listen } from '../http/listen.ts';
import { openListeners, type Listeners } from './listeners.ts';
import { noteLosses } from './losses.ts';
import {
  startKeepingTime,
  startPruning,
  startRemovingRoles,
  startWatchingState,
  warnOfUndefinedRoles,
} from './background.ts';
import { loadFeatures } from '../features/index.ts';
import { createRuntime, type Runtime } from './runtime.ts';
import { openServices, type Services } from './services.ts';
import { requireUsedRoles } from './used-roles.ts';

/** A running gate. */
export interface App {
  /** Address of each listener: `host:port` or `unix:/path`; absent when it is off. */
  readonly addresses: Listeners['addresses'] & { readonly events: string };
  /**
   * Applies another configuration, with the certificate and the JWT secret as they are now. Requests under way finish
   * with what they began with.
   * @param readAt time before it was read, by the monotonic clock in nanoseconds: what a request changes later stays
   * @returns keys whose change needs a restart; their values stay
   * @throws ConfigurationError when a file is not valid; then nothing has changed
   */
  reload(configuration: Configuration, readAt: bigint): Promise<readonly string[]>;
  readonly configuration: () => Configuration;
  /** Hash of the current configuration, and the results of the attempts to change it. */
  readonly reloads: ReloadRecord;
  /** Records the start and the configuration in the audit. */
  recordStart(): Promise<void>;
  /** Records the result of the last reload in the audit; the log has its own lines. */
  recordReload(): Promise<void>;
  /** Other files of the current configuration: certificate, key, JWT secret. */
  files(): readonly string[];
  /** Announces the stop, by `/readyz` and with each answer; everything else continues. */
  leave(): void;
  /** @param timeoutMs for requests and streams under way; 0 or none: they are cut */
  close(timeoutMs?: number): Promise<void>;
}

export interface AppOptions extends BeginningOptions {
  /** Directory of the program's data. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads a text as config.yml. @throws ConfigurationError */
  readonly readConfiguration: (text: string) => Configuration;
  readonly logger: Logger;
  /** The machine's. */
  readonly clock: Clock;
}

/**
 * Connects the modules and listens.
 * @throws ConfigurationError or the system's error; then nothing is left listening
 */
export function startApp(options: AppOptions): Promise<App> {
  return withCleanup((closing) => start(options, closing));
}

async function start(options: AppOptions, closing: AsyncDisposableStack): Promise<App> {
  const { configuration, directory, environment, readConfiguration, logger, log, clock, passwordHasher } =
    options;
  requireWholeStart(directory, configuration.source);
  const reloads = createReloadRecord(configuration, clock);
  const current = createCurrent<Runtime>(configuration);

  await requireForeignUpstream(configuration);

  // Create: each part is made of those above it.
  const features = await loadFeatures(configuration.features);
  const services = await openServices(
    { current, directory, logger, log, clock, reloads, passwordHasher, closing },
    features,
  );
  const fileOptions = { ...options, clock: services.foundation.time.clock };
  const { files, isNewSecret } = await firstGateFiles(configuration, fileOptions);
  await noteLosses(services.foundation, { configuration, isNewSecret });
  await requireBeginning(services.accounts, options);
  const socket = privateSocket(closing);
  const events = `unix:${socket.path}`;
  const applying = createApplying({
    current,
    services,
    files,
    reloads,
    events,
    directory,
    environment,
    readConfiguration,
  });

  // Start: decide, and follow the store.
  await requireUsedRoles(directory, undefined, configuration, services);
  await takeOverRoles(configuration, services);
  applying.apply(configuration, files);
  const { roleReading, audit } = services.foundation;
  roleReading.onChange(applying.applyRoles);
  closing.defer(followRoles(roleReading, systemTimers));

  await warnOfUndefinedRoles(services, configuration);

  startRemovingRoles(services.foundation, current.runtime);

  startWatchingState(services, current.runtime, closing);
  for (const feature of services.features) feature.start?.(current);

  // Listen. What a start makes only once, it makes when nothing more can fail.
  let isReady = false;
  const openListener = answerOnceReady(listen, () => isReady);
  const openEvents = eventsListeners(services.foundation, current, closing);
  const ownEvents = await openEvents(socket, listen);
  const { events: eventsAt } = configuration.listen;
  const sharedEvents = eventsAt === undefined ? ownEvents : await openEvents(eventsAt, openListener);
  const { certificate } = files;
  const listeners = await openListeners(
    { at: configuration.listen, listen: openListener, certificate },
    current,
    services,
  );
  closing.defer(() => listeners.close(0));
  await beginOnce(services, options);
  isReady = true;
  startKeepingTime(services.foundation, closing);
  startPruning(services, closing);
  await keepTaken(options, configuration);

  return {
    addresses: { events: sharedEvents.address, ...listeners.addresses },
    configuration: current.configuration,
    reloads,
    reload: async (wanted) => {
      requireWhole(directory, current.configuration().source, wanted.source, 'reload');
      const { configuration: changed, waiting } = keepListeners(wanted, current.configuration());
      await requireForeignUpstream(changed);
      await requireUsedRoles(directory, current.configuration().source, changed, services);
      const changedFiles = await readGateFiles(changed, fileOptions);
      if (changedFiles.certificate !== undefined) listeners.renew(changedFiles.certificate);
      applying.apply(changed, changedFiles);
      await keepTaken(options, changed);
      // Not awaited: a change that waits for this reload may hold the store.
      void warnOfUndefinedRoles(services, changed);
      return waiting;
    },
    recordStart: () => audit.record(startedEntry(reloads.read())),
    recordReload: () => audit.keep(reloadEntry(reloads.read())),
    files: () => watchedFiles(current.configuration(), environment, directory),
    leave: () => {
      services.monitoring.leave();
      listeners.leave();
      sharedEvents.leave();
    },
    close: async (timeoutMs = 0) => {
      const deadline = performance.now() + timeoutMs;
      // Listeners first: clients and fronts still need the rest.
      await listeners.close(timeoutMs);
      // The events app still serves what a front was allowed to request.
      await sharedEvents.close(Math.max(0, deadline - performance.now()));
      await closing.disposeAsync();
    },
  };
}

function requireWholeStart(directory: string, text: string | undefined): void {
  try {
    requireWhole(directory, undefined, text, 'start');
  } catch (error) {
    // A restore that is under way, or was cut off, explains what is missing.
    shareDirectory(directory).release();
    throw error;
  }
}

async function keepTaken({ directory, logger }: AppOptions, { source }: Configuration): Promise<void> {
  const fault = await keepInEffect(directory, source);
  if (fault !== undefined)
    logger.warn(
      { file: appliedFile(directory), fault },
      'could not keep the applied text; the next start takes a config.yml that was cut off',
    );
}

/** Moves what earlier versions kept of personal roles in config.yml to the store. It happens once, before anyone is decided by it. */
async function takeOverRoles(
  { auth }: Configuration,
  { foundation: { store, roleReading, clock, logger }, records: { auditRecords } }: Services,
): Promise<void> {
  try {
    await adoptEarlierRoles(store, auditRecords);
    const roles = await copyDeclaredRoles(store, auth.defined, clock);
    if (roles.length > 0)
      logger.info(
        { roles },
        'copied the access of guests from config.yml to the store; config.yml loses it in 30 days',
      );
  } catch (error) {
    logger.error(
      { err: error },
      'could not copy the access of guests from config.yml to the store; until a restart they have none',
    );
  }
  await roleReading.renew();
}

/** Replaces one runtime by another. Requests under way finish with the one that they began with. */
interface Applying {
  /** Applies a configuration. The listeners stay. */
  apply(configuration: Configuration, files: RuntimeFiles): void;
  /** Applies the custom roles that the store has now. */
  applyRoles(): void;
}

interface ApplyingOptions {
  readonly current: Current<Runtime>;
  readonly files: GateFiles;
  readonly services: Services;
  readonly reloads: ReloadRecord;
  /** `unix:/path` of the events app. */
  readonly events: string;
  /** Directory of the files of a changed configuration. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads a text as config.yml. @throws ConfigurationError */
  readonly readConfiguration: (text: string) => Configuration;
}

function createApplying(options: ApplyingOptions): Applying {
  const { current, services, reloads, events, readConfiguration } = options;
  let { files } = options;

  function become(configuration: Configuration, changedFiles: RuntimeFiles): void {
    const taken = { ...files, ...changedFiles };
    const context = { events, check, readConfiguration, current: current.runtime };
    const runtime = createRuntime(configuration, taken, services, context);
    // Nothing has changed so far: a failure before this line leaves everything as it was.
    files = taken;
    current.become(configuration, runtime);
    runtime.start();
  }
  function apply(configuration: Configuration, changedFiles: RuntimeFiles): void {
    become(configuration, changedFiles);
    reloads.apply(configuration);
  }
  function check(text: string, base: string | undefined): () => void {
    const previous = current.configuration();
    try {
      requireWhole(options.directory, previous.source, base, 'reload');
    } catch (cause) {
      throw new AppError('configuration_read_only', { cause });
    }
    const { configuration } = keepListeners(readConfiguration(text), previous);
    const changedFiles = readRuntimeFiles(configuration, options);
    return () => {
      // Reloaded while the text was being written: what was read for it before, such as a secret, may be out of date.
      if (current.configuration() !== previous) {
        check(text, current.configuration().source)();
        return;
      }
      apply(configuration, changedFiles);
    };
  }
  return { apply, applyRoles: () => become(current.configuration(), files) };
}
