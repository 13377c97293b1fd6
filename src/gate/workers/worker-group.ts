import { setTimeout as pause } from 'node:timers/promises';
import type { ReloadReport } from '../../config/reload-report.ts';
import type { ListedStream } from '../../access/streams/listed-stream.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { MetricsOfProcess } from '../../telemetry/metrics.ts';
import { withCounted } from '../../telemetry/metrics-together.ts';
import type { Readiness } from '../../telemetry/readiness.ts';
import type { Dispatcher, Taker } from './dispatcher.ts';
import type { CurrentConfiguration, PrimaryHandlers } from './messages.ts';
import { forkWorker, type WorkerProcess } from './worker-process.ts';

/** Worker processes; one that ends is replaced. */
export interface WorkerGroup {
  /** Settles when all take connections. @throws when one does not start; then none is left running */
  start(handlers: PrimaryHandlers): Promise<void>;
  /** Settles when all have applied the current configuration. A worker that is late is replaced by one that has. */
  apply(): Promise<void>;
  /** Sends all the result of the last reload. */
  report(): void;
  /** Of each worker, and of those that have ended. */
  metrics(): Promise<readonly MetricsOfProcess[]>;
  /** Of each worker; undefined: it does not answer, or does not run. */
  readiness(): Promise<ReadonlyArray<Readiness | undefined>>;
  /** Of all workers that answer. */
  streams(): Promise<readonly ListedStream[]>;
  /** @returns what the worker with that stream has cut. @throws when one that may have it does not answer */
  cutStream(id: string): Promise<ListedStream | undefined>;
  /** @param timeoutMs for requests and streams under way */
  stop(timeoutMs: number): Promise<void>;
  /** Announces to all that the gate will stop. */
  leave(): void;
}

export interface WorkerGroupOptions {
  readonly count: number;
  readonly directory: string;
  readonly current: () => CurrentConfiguration;
  readonly lastReload: () => ReloadReport;
  readonly dispatcher: Dispatcher;
  readonly logger: Logger;
}

// Milliseconds, after which a change in one worker has taken effect in all.
const applyTimeoutMs = 1_000;
const reportTimeoutMs = 1_000;
// Connections go to the other workers meanwhile.
const answerTimeoutMs = 30_000;
// The worker answered a moment ago, and no other may read the connection meanwhile.
const takeTimeoutMs = 5_000;
// On top of the time for requests: the databases are closed.
const closeTimeoutMs = 5_000;

/** Milliseconds. A worker that ran longer has not failed at its start. */
const longLife = 60_000;
const longestPause = 30_000;

interface Worker {
  readonly number: number;
  readonly process: WorkerProcess;
  readonly taker: Taker;
  lastMetrics: MetricsOfProcess | undefined;
}

export function createWorkerGroup(options: WorkerGroupOptions): WorkerGroup {
  const { count, directory, current, lastReload, dispatcher, logger } = options;
  const numbers = Array.from({ length: count }, (_, place) => place + 1);
  const processes = new Set<WorkerProcess>();
  /** Workers that take connections, by number. */
  const started = new Map<number, Worker>();
  /** Counters of workers that have ended. */
  let former: Promise<MetricsOfProcess> = Promise.resolve([]);
  let isStopping = false;

  /** Settles when the worker takes connections. @throws when it does not start */
  const begin = async (number: number, child: WorkerProcess): Promise<void> => {
    const { peer } = child;
    let given = current();
    await peer.call('start', { worker: number, directory, current: given, report: lastReload() });
    while (given !== current()) {
      given = current();
      await peer.call('take', given);
    }
    const orEnd = async (answer: Promise<void>) => {
      try {
        await answer;
      } catch (error) {
        // It may have the connection. Another worker gets that once this one has ended.
        await child.end();
        throw error;
      }
    };
    const taker: Taker = {
      isThere: () => orEnd(peer.call('isThere', undefined, { timeoutMs: answerTimeoutMs })),
      take: (listener, socket) =>
        orEnd(peer.call('connection', listener, { handle: socket, timeoutMs: takeTimeoutMs })),
    };
    started.set(number, { number, process: child, taker, lastMetrics: undefined });
    dispatcher.add(taker);
  };
  const fork = (handlers: PrimaryHandlers): WorkerProcess => {
    const child = forkWorker(handlers);
    processes.add(child);
    return child;
  };
  /** Settles when the worker has ended. */
  const attend = async (number: number, child: WorkerProcess) => {
    const how = await child.ended;
    processes.delete(child);
    const worker = started.get(number);
    if (worker?.process === child) {
      started.delete(number);
      dispatcher.remove(worker.taker);
      const { lastMetrics } = worker;
      if (lastMetrics !== undefined) former = former.then((counted) => withCounted(counted, lastMetrics));
    }
    child.peer.end();
    return how;
  };
  /** Replaces a worker that ends, after a pause that grows while workers fail at their start. */
  const keep = async (number: number, first: WorkerProcess, handlers: PrimaryHandlers): Promise<void> => {
    let child = first;
    let failures = 0;
    for (;;) {
      const began = performance.now();
      const how = await attend(number, child);
      if (isStopping) return;
      failures = performance.now() - began > longLife ? 1 : failures + 1;
      const wait = failures === 1 ? 0 : Math.min(longestPause, 50 * 2 ** failures);
      logger.error(
        { worker: number, pid: child.pid, ...how, pause: wait },
        'a worker has ended: another takes its place',
      );
      await pause(wait, undefined, { ref: false });
      if (isStopping) return;
      child = fork(handlers);
      const { pid, kill } = child;
      begin(number, child).then(
        () => logger.info({ worker: number, pid }, 'a worker takes connections'),
        kill,
      );
    }
  };
  const ask = async <T>(asked: (worker: Worker) => Promise<T>): Promise<Array<T | undefined>> =>
    Promise.all(
      numbers.map(async (number) => {
        const worker = started.get(number);
        return worker && asked(worker).catch(() => undefined);
      }),
    );

  return {
    start: async (handlers) => {
      const children = numbers.map((number) => ({ number, child: fork(handlers) }));
      const gone = children.map(async ({ number, child }) => {
        await child.ended;
        child.peer.end();
        throw new Error(`worker ${number} has ended at its start`);
      });
      try {
        await Promise.all(
          children.map(({ number, child }, place) => Promise.race([begin(number, child), gone[place]])),
        );
      } catch (error) {
        isStopping = true;
        for (const { child } of children) child.kill();
        throw error;
      } finally {
        for (const ended of gone) ended.catch(() => undefined);
      }
      for (const { number, child } of children) void keep(number, child, handlers);
    },
    apply: async () => {
      const wanted = current();
      await Promise.all(
        [...started.values()].map(async ({ number, process }) => {
          try {
            await process.peer.call('take', wanted, { timeoutMs: applyTimeoutMs });
          } catch (error) {
            logger.error(
              { worker: number, err: error },
              'a worker did not apply the configuration: it is ended',
            );
            await process.end();
          }
        }),
      );
    },
    report: () =>
      void ask(({ process }) => process.peer.call('report', lastReload(), { timeoutMs: reportTimeoutMs })),
    metrics: async () => {
      const found = await ask(async (worker) => {
        const metrics = worker.process.peer.call('metrics', undefined, { timeoutMs: reportTimeoutMs });
        // Its last counters still count.
        return (worker.lastMetrics = await metrics.catch(() => worker.lastMetrics));
      });
      return [...found, await former].filter((metrics) => metrics !== undefined);
    },
    readiness: () =>
      ask(({ process }) => process.peer.call('readiness', undefined, { timeoutMs: reportTimeoutMs })),
    streams: async () => {
      const found = await ask(({ process }) =>
        process.peer.call('streams', undefined, { timeoutMs: reportTimeoutMs }),
      );
      return found.flatMap((streams) => streams ?? []);
    },
    cutStream: async (id) => {
      const asked = [...started.values()].map(({ process }) =>
        process.peer.call('cutStream', id, { timeoutMs: reportTimeoutMs }),
      );
      const answers = await Promise.allSettled(asked);
      for (const answer of answers)
        if (answer.status === 'fulfilled' && answer.value !== undefined) return answer.value;
      if (answers.some(({ status }) => status === 'rejected'))
        throw new Error('a worker did not say whether it has cut a stream');
      return undefined;
    },
    leave: () =>
      void ask(({ process }) => process.peer.call('leave', undefined, { timeoutMs: reportTimeoutMs })),
    stop: async (timeoutMs) => {
      isStopping = true;
      const stop = async (child: WorkerProcess) => {
        const deadline = timeoutMs + closeTimeoutMs;
        await child.peer.call('stop', timeoutMs, { timeoutMs: deadline }).then(child.release, child.kill);
        const cut = setTimeout(child.kill, closeTimeoutMs);
        await child.ended;
        clearTimeout(cut);
      };
      await Promise.all([...processes].map(stop));
    },
  };
}
