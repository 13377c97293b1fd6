import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { clientAddress, type InNetworks } from '../policy/client-address.ts';
import { followRoles } from '../accounts/role-reading.ts';
import { systemTimers } from '../recorder/timers.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import { reloadEntry, startedEntry } from '../audit/configuration-change.ts';
import { keepListeners, listenerKeys } from '../config/changes.ts';
import type { Configuration } from '../config/configuration.ts';
import type { ListenAddress } from '../config/listen.ts';
import { createReloadRecord, type ReloadRecord } from '../config/reload-report.ts';
import { endOf } from '../tls/certificate.ts';
import { guardConnections, serverOptions } from '../connections/guard-connections.ts';
import { listen, type Listen, type Listening } from './listen.ts';
import { beginOnce, type BeginningOptions } from './begin-once.ts';
import { createGate, type Gate } from './gate.ts';
import { firstGateFiles, readGateFiles, watchedFiles, type GateFiles } from './gate-files.ts';
import type { PrimaryProcess } from './primary-process.ts';
import { fetchListener } from '../fetch-listener.ts';
import { createEventsApp, type RefusedLookup } from '../events/events-app.ts';
import { orNothing } from '../or-nothing.ts';
import { openServices, type Services } from './services.ts';
import { maxHeaderSize, openListeners, type Listeners } from './listeners.ts';
import { exchangesOf, type ExchangesOfGate } from '../exchanges/listed-exchange.ts';
import { grantOf } from '../policy/grant.ts';
import { recipientOf } from '../fronts/recipient.ts';
import { errorResponse } from '../fronts/refusal.ts';
import type { Settings } from '../settings/settings.ts';
import type { AppError } from '../errors.ts';
import type { Logger } from '../telemetry/logger.ts';

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
  /** @param patience milliseconds for what is under way; none: it is cut */
  close(patience?: number): Promise<void>;
}

/** One process of a gate. */
export interface App extends RunningGate {
  readonly addresses: Listeners['addresses'] & { readonly events: string };
  /** Applies another configuration, likewise, with files that were read. Its listeners are those that there are. */
  take(configuration: Configuration, files: GateFiles): void;
  /** What this process alone knows of itself. */
  readonly own: Services['own'];
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
  return orNothing((closing) => start(options, closing));
}

async function start(options: AppOptions, closing: AsyncDisposableStack): Promise<App> {
  const { configuration, directory, environment, primary } = options;
  const reloads = createReloadRecord(configuration, options.clock);
  // Services start first. Until the gate exists, their background work skips it.
  const begun: { gate?: Gate } = {};
  const services = await openServices({
    ...options,
    configuration: () => begun.gate?.configuration() ?? configuration,
    deciding: () => begun.gate?.runtime(),
    onRolesChanged: () => begun.gate?.applyRoles(),
    reloads,
    closing,
  });
  const { audit, logger } = services.shared;
  const files = primary?.files ?? (await firstGateFiles(configuration, { ...options, logger }));
  let certificateEnds = files.certificate && endOf(files.certificate);
  if (primary === undefined) await beginOnce(services, options, closing);
  const privateEvents = privateSocket(closing);
  const gate = createGate({
    ...options,
    files,
    services,
    reloads,
    events: `unix:${privateEvents.path}`,
    certificateEnds: () => certificateEnds,
  });
  begun.gate = gate;
  const { roleReading } = services;
  if (roleReading !== undefined) closing.defer(followRoles(roleReading, systemTimers));

  // Everything that answers is there: from here on it may be asked.
  const openListener = primary?.listen ?? listen;
  const openEvents = eventsListeners(services, gate, closing);
  const ownEvents = await openEvents(privateEvents, listen);
  const { events: eventsAt } = configuration.listen;
  const events = eventsAt === undefined ? ownEvents : await openEvents(eventsAt, openListener);
  const listeners = await openListeners({
    ...services.shared,
    listen: configuration.listen,
    openListener,
    certificate: files.certificate,
    gate: gate.runtime,
  });
  const take: App['take'] = (changed, changedFiles) => {
    if (changedFiles.certificate !== undefined) {
      listeners.renew(changedFiles.certificate);
      certificateEnds = endOf(changedFiles.certificate);
    }
    gate.apply(changed, changedFiles);
  };

  return {
    addresses: { events: events.address, ...listeners.addresses },
    reloads,
    own: services.own,
    exchanges: exchangesOf(services.shared.exchanges),
    take,
    reload: async (wanted) => {
      const { configuration: changed, waiting } = keepListeners(wanted, gate.configuration());
      take(changed, await readGateFiles(changed, { ...options, logger }));
      return waiting;
    },
    recordStart: () => audit.record(startedEntry(reloads.read())),
    recordReload: () => audit.keep(reloadEntry(reloads.read())),
    files: () => watchedFiles(gate.configuration(), environment, directory),
    leave: () => {
      services.own.leave();
      listeners.leave();
      events.leave();
    },
    close: async (patience = 0) => {
      const deadline = performance.now() + patience;
      // Whoever faces clients or fronts first, since they still need the rest.
      await listeners.close(patience);
      // What a front was allowed to ask the events app.
      await events.close(Math.max(0, deadline - performance.now()));
      await closing.disposeAsync();
    },
  };
}

/** @returns what lets the events app listen at an address too */
function eventsListeners(
  { shared: { logger, audit, tallies, roundRobin }, database }: Services,
  gate: Gate,
  closing: AsyncDisposableStack,
): (at: ListenAddress, openListener: Listen) => Promise<Listening> {
  const app = createEventsApp({
    database,
    roundRobin,
    logger,
    grantOf: async (role) => {
      const { currentRoles, settings } = gate.runtime();
      const grant = grantOf(role, settings.rules.customRoles);
      if (grant === 'all' || currentRoles === undefined || currentRoles.areCurrent()) return grant;
      await currentRoles.renew();
      return grantOf(role, gate.runtime().settings.rules.customRoles);
    },
    onRefused: (refused) => void audit.record(refusedLookup(refused, gate.runtime().settings.isTrustedProxy)),
    errorPage: (error, incoming) => eventsErrorPage(error, incoming, gate.runtime().settings),
  });
  return async (at, openListener) => {
    const server = createServer({ ...serverOptions, maxHeaderSize }, fetchListener(app.fetch));
    guardConnections(
      server,
      () => gate.configuration().limits,
      (fault) => (tallies.limited[fault] += 1),
    );
    const listening = await openListener(server, at, listenerKeys.events);
    closing.defer(() => listening.close());
    return listening;
  };
}

/** Whoever the gate or another front let pass: each of them says below which prefix the client is. */
function eventsErrorPage(
  error: AppError,
  incoming: IncomingMessage,
  settings: Settings,
): Response | undefined {
  const facts = { entryPoint: 'authenticated', listener: 'relay', tls: false } as const;
  const { reader } = recipientOf({ incoming, ...facts }, settings);
  if (reader === undefined) return undefined;
  const { status, headers, body } = errorResponse(error, reader);
  return new Response(body, { status, headers });
}

/** Where each process has its own events app for what it passes on itself: its path is known before it listens. */
function privateSocket(closing: AsyncDisposableStack): { readonly path: string } {
  const directory = mkdtempSync(join(tmpdir(), 'postern-'));
  closing.defer(() => rmSync(directory, { recursive: true, force: true }));
  return { path: join(directory, 'events.sock') };
}

/** A decision had let it pass; what it asked for was found out in the events app. */
function refusedLookup(
  { user, role, forwardedFor, path }: RefusedLookup,
  isTrustedProxy: InNetworks,
): AuditEntry {
  const hops = { peer: undefined, behindFront: true, forwardedFor: [forwardedFor] };
  const address = clientAddress(hops, isTrustedProxy);
  return { event: 'refused', reason: 'camera_not_granted', user, role, address, object: path };
}
