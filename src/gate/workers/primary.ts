import { createServer, type Server } from 'node:net';
import { reloadEntry, startedEntry } from '../../audit/configuration-change.ts';
import { keepListeners, listenerKeys } from '../../config/changes.ts';
import { createReloadRecord } from '../../config/reload-report.ts';
import type { AppOptions, RunningGate } from '../app.ts';
import { beginOnce, requireBeginning } from '../begin-once.ts';
import { createCurrent } from '../current.ts';
import { firstGateFiles, readGateFiles, watchedFiles } from '../gate-files.ts';
import { bind, stopAccepting } from '../../http/listen.ts';
import { warnOfUndefinedRoles } from '../undefined-roles.ts';
import { openServices } from '../services.ts';
import { serverOptions } from '../../http/connections/guard-connections.ts';
import { exposeTogether } from '../../telemetry/metrics-together.ts';
import type { MetricsOfProcess } from '../../telemetry/metrics.ts';
import type { Readiness } from '../../telemetry/readiness.ts';
import { withCleanup } from '../../store/with-cleanup.ts';
import { createDispatcher, type Dispatcher } from './dispatcher.ts';
import type { CurrentConfiguration } from './messages.ts';
import { acceptNewer } from './accept-newer.ts';
import { createWorkerGroup, type WorkerGroup } from './worker-group.ts';

/**
 * Runs a gate in several processes. The primary does what happens once: it opens the databases, makes the first account,
 * reads the files, accepts the connections, counts failures, and starts the workers, which decide and answer.
 * @throws as `startApp`
 */
export function startPrimary(options: AppOptions): Promise<RunningGate> {
  return withCleanup((closing) => start(options, closing));
}

async function start(options: AppOptions, closing: AsyncDisposableStack): Promise<RunningGate> {
  const { directory, environment, logger, clock } = options;
  const { configuration } = options;
  const reloads = createReloadRecord(configuration, clock);
  const readAt = process.hrtime.bigint();
  const held = createCurrent(configuration);

  // Create: each part is made of those above it.
  const services = await openServices({ ...options, current: held, reloads, closing });
  const { audit, windows } = services;
  const files = await firstGateFiles(configuration, options);
  await requireBeginning(services, options);
  await warnOfUndefinedRoles(services, configuration);
  let current: CurrentConfiguration = { readAt, configuration, files };
  const isNewer = acceptNewer();
  isNewer(readAt);
  const put = (changed: CurrentConfiguration) => {
    if (!isNewer(changed.readAt)) return;
    current = changed;
    held.become(changed.configuration);
    reloads.apply(changed.configuration);
  };
  const dispatcher = createDispatcher();
  const workers = createWorkerGroup({
    count: configuration.server.workers,
    directory,
    current: () => current,
    lastReload: reloads.read,
    dispatcher,
    logger,
  });

  // Start.
  await workers.start({
    takePlace: ({ rule, key }) => windows.take(rule, key),
    giveBack: ({ rule, key, ends }) => windows.giveBack(rule, key, ends),
    changed: async ({ files: changedFiles, ...changed }) => {
      put({ ...changed, files: { ...current.files, ...changedFiles } });
      await workers.apply();
      workers.report();
    },
    metricsOfAll: async () =>
      exposeTogether([
        ...(await workers.metrics()),
        await ofPrimary(
          services.ownState.metrics(),
          (await readinessOf(workers)).checks[everyWorker] === 'ok',
        ),
      ]),
    streamsOfAll: () => workers.streams(),
    cutStream: (id) => workers.cutStream(id),
    readinessOfAll: () => readinessOf(workers),
  });
  closing.defer(() => workers.stop(0));
  // Listen. What a start makes only once, it makes when nothing more can fail; connections wait for it.
  const begun = Promise.withResolvers<void>();
  const { addresses, stopListening } = await listenForAll(
    configuration.listen,
    {
      close: dispatcher.close,
      dispatch: (key, socket) => void begun.promise.then(() => dispatcher.dispatch(key, socket)),
    },
    closing,
  );
  await beginOnce(services, options, closing);
  begun.resolve();

  return {
    addresses,
    configuration: () => current.configuration,
    reloads,
    reload: async (wanted, wantedAt) => {
      const { configuration: changed, waiting } = keepListeners(wanted, current.configuration);
      put({ readAt: wantedAt, configuration: changed, files: await readGateFiles(changed, options) });
      await workers.apply();
      // Not awaited: a change that waits for this reload may hold the store.
      void warnOfUndefinedRoles(services, changed);
      return waiting;
    },
    recordStart: () => audit.record(startedEntry(reloads.read())),
    recordReload: async () => {
      workers.report();
      await audit.keep(reloadEntry(reloads.read()));
    },
    files: () => watchedFiles(current.configuration, environment, directory),
    leave: workers.leave,
    close: async (timeoutMs = 0) => {
      await stopListening(timeoutMs);
      await workers.stop(timeoutMs);
      await closing.disposeAsync();
    },
  };
}

/** Accepts the connections of all listeners. @throws ListenError */
async function listenForAll(
  at: AppOptions['configuration']['listen'],
  dispatcher: Pick<Dispatcher, 'close' | 'dispatch'>,
  closing: AsyncDisposableStack,
): Promise<{
  readonly addresses: RunningGate['addresses'];
  readonly stopListening: (timeoutMs: number) => Promise<void>;
}> {
  const listening = new Set<Server>();
  const stopListening = async (timeoutMs: number) => {
    const stopped = [...listening].map(stopAccepting);
    listening.clear();
    await Promise.all(stopped);
    await dispatcher.close(timeoutMs);
  };
  closing.defer(() => stopListening(0));
  const addresses: Record<string, string> = {};
  for (const [name, key] of Object.entries(listenerKeys)) {
    const address = at[name as keyof typeof listenerKeys];
    if (address === undefined) continue;
    const server = createServer(
      { ...serverOptions, pauseOnConnect: true, allowHalfOpen: true, noDelay: true },
      (socket) => dispatcher.dispatch(key, socket),
    );
    addresses[name] = await bind(server, address, key);
    listening.add(server);
  }
  return { addresses, stopListening };
}

/** The check that no worker is missing. */
const everyWorker = 'workers';

/** As ready as the least ready worker, since each may get the next request. */
async function readinessOf(workers: Pick<WorkerGroup, 'readiness'>): Promise<Readiness> {
  const found = await workers.readiness();
  const known = found.filter((readiness) => readiness !== undefined);
  const failed = new Set(
    known.flatMap(({ checks }) =>
      Object.entries(checks).flatMap(([check, finding]) => (finding === 'ok' ? [] : [check])),
    ),
  );
  const isComplete = known.length === found.length;
  const names = new Set(known.flatMap(({ checks }) => Object.keys(checks)));
  const isUnready = known.length === 0 || known.some(({ status }) => status === 'unready');
  return {
    status: isUnready ? 'unready' : failed.size > 0 || !isComplete ? 'degraded' : 'ready',
    checks: {
      ...Object.fromEntries([...names].map((check) => [check, failed.has(check) ? 'failed' : 'ok'])),
      [everyWorker]: isComplete ? 'ok' : 'failed',
    },
  };
}

/** The primary decides nothing: its own metrics are those of the process and of the log. */
async function ofPrimary(own: Promise<MetricsOfProcess>, isComplete: boolean): Promise<MetricsOfProcess> {
  return (await own).flatMap((metric) => {
    if (/^(process_|nodejs_|postern_log_lines_dropped_total$)/.test(metric.name)) return [metric];
    if (metric.name !== 'postern_check_successful') return [];
    return [{ ...metric, values: [{ value: isComplete ? 1 : 0, labels: { check: everyWorker } }] }];
  });
}
