import { followRoles } from '../identity/roles/role-reading.ts';
import { reloadEntry, startedEntry } from '../audit/configuration-change.ts';
import type { Clock } from '../clock.ts';
import { keepListeners } from '../config/changes.ts';
import type { Configuration } from '../config/configuration.ts';
import { createReloadRecord, type ReloadRecord } from '../config/reload-report.ts';
import { exchangesOf, type ExchangesOfGate } from '../access/streams/listed-exchange.ts';
import { withCleanup } from '../store/with-cleanup.ts';
import { systemTimers } from '../recorder/timers.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createApplying } from './applying.ts';
import { beginOnce, type BeginningOptions } from './begin-once.ts';
import { createCurrent } from './current.ts';
import { eventsListeners, privateSocket } from './events-listeners.ts';
import { firstGateFiles, readGateFiles, watchedFiles, type GateFiles } from './gate-files.ts';
import { listen } from '../http/listen.ts';
import { openListeners, type Listeners } from './listeners.ts';
import type { PrimaryProcess } from './primary-process.ts';
import type { Runtime } from './runtime.ts';
import { openServices, type Services } from './services.ts';

/** A gate that runs, by one process or several. */
export interface RunningGate {
  /** Where each listener can be reached: `host:port` or `unix:/path`; absent when it is off. */
  readonly addresses: Listeners['addresses'] & { readonly events?: string };
  /**
   * Applies another configuration, with the certificate and the JWT secret as they are now. Requests that are under
   * way come to their end with what they began with.
   * @param readAt before it was read, by the monotonic clock in nanoseconds: what a request changes later stays
   * @returns keys whose change needs a restart, and stays as it was
   * @throws ConfigurationError when a file is no good; then nothing has changed
   */
  reload(configuration: Configuration, readAt: bigint): Promise<readonly string[]>;
  /** The current configuration, and what became of the attempts to change it. */
  readonly reloads: ReloadRecord;
  /** Keeps that the program has started, and with what. */
  recordStart(): Promise<void>;
  /** Keeps how the last attempt to read the configuration anew ended; the log has its own lines. */
  recordReload(): Promise<void>;
  /** Further files that the current configuration is made of: certificate, key, JWT secret. */
  files(): readonly string[];
  /** Says that it will stop, by `/readyz` and with each answer; everything else goes on. */
  leave(): void;
  /** @param timeoutMs milliseconds for what is under way; none: it is cut */
  close(timeoutMs?: number): Promise<void>;
}

/** One process of a gate. */
export interface App extends RunningGate {
  readonly addresses: Listeners['addresses'] & { readonly events: string };
  /** Applies another configuration, likewise, with files that were read. Its listeners are those that there are. */
  take(configuration: Configuration, files: GateFiles): void;
  /** What this process alone knows of itself. */
  readonly own: Services['ownState'];
  /** What this process alone has open. */
  readonly exchanges: ExchangesOfGate;
}

export interface AppOptions extends BeginningOptions {
  /** Directory for what the program keeps. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads a text as config.yml. @throws ConfigurationError */
  readonly readConfiguration: (text: string) => Configuration;
  readonly logger: Logger;
  readonly clock: Clock;
  /** This process is one of several. Undefined: it is the only one. */
  readonly primary?: PrimaryProcess;
}

/**
 * Wires the modules together and listens.
 * @throws ConfigurationError or the system's error when it cannot; nothing is left listening then
 */
export function startApp(options: AppOptions): Promise<App> {
  return withCleanup((closing) => start(options, closing));
}

async function start(options: AppOptions, closing: AsyncDisposableStack): Promise<App> {
  const { configuration, directory, environment, clock, primary } = options;
  const reloads = createReloadRecord(configuration, clock);
  const current = createCurrent<Runtime>(configuration);

  // Everything is made from here on, each of what stands above it.
  const services = await openServices({ ...options, current, reloads, closing });
  const files = primary?.files ?? (await firstGateFiles(configuration, options));
  if (primary === undefined) await beginOnce(services, options, closing);
  const socket = privateSocket(closing);
  const events = `unix:${socket.path}`;
  const applying = createApplying({ ...options, current, services, files, reloads, events });

  // What is made begins to work: what decides, and what follows the store.
  applying.apply(configuration, files);
  const { roleReading } = services;
  roleReading?.onChange(applying.applyRoles);
  if (roleReading !== undefined) closing.defer(followRoles(roleReading, systemTimers));

  // Everything that answers is there: from here on it may be asked.
  const openListener = primary?.listen ?? listen;
  const openEvents = eventsListeners(services, current, closing);
  const ownEvents = await openEvents(socket, listen);
  const { events: eventsAt } = configuration.listen;
  const sharedEvents = eventsAt === undefined ? ownEvents : await openEvents(eventsAt, openListener);
  const { certificate } = files;
  const listeners = await openListeners(configuration.listen, openListener, certificate, current, services);

  const take: App['take'] = (changed, changedFiles) => {
    if (changedFiles.certificate !== undefined) listeners.renew(changedFiles.certificate);
    applying.apply(changed, changedFiles);
  };
  return {
    addresses: { events: sharedEvents.address, ...listeners.addresses },
    reloads,
    own: services.ownState,
    exchanges: exchangesOf(services.exchanges),
    take,
    reload: async (wanted) => {
      const { configuration: changed, waiting } = keepListeners(wanted, current.configuration());
      take(changed, await readGateFiles(changed, options));
      return waiting;
    },
    recordStart: () => services.audit.record(startedEntry(reloads.read())),
    recordReload: () => services.audit.keep(reloadEntry(reloads.read())),
    files: () => watchedFiles(current.configuration(), environment, directory),
    leave: () => {
      services.ownState.leave();
      listeners.leave();
      sharedEvents.leave();
    },
    close: async (timeoutMs = 0) => {
      const deadline = performance.now() + timeoutMs;
      // Whoever faces clients or fronts first, since they still need the rest.
      await listeners.close(timeoutMs);
      // What a front was allowed to ask the events app.
      await sharedEvents.close(Math.max(0, deadline - performance.now()));
      await closing.disposeAsync();
    },
  };
}
