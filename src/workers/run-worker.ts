import { systemClock } from '../clock.ts';
import { configurationReader } from '../config/load.ts';
import { ConfigurationError, describeProblem } from '../config/problem.ts';
import { AppError } from '../errors.ts';
import { programDirectory } from '../program-directory.ts';
import { startApp, type App } from '../server/app.ts';
import { createLogger, openLog } from '../telemetry/logger.ts';
import { connectPeer } from './calls.ts';
import { createIncomingConnections } from './incoming-connections.ts';
import type { PrimaryHandlers, WorkerHandlers } from './messages.ts';
import { createNews } from './news.ts';

// Milliseconds in which the primary answers: it does nothing that takes long.
const patience = 2_000;
// It asks all workers, some of which may not answer.
const patienceForAll = 5_000;

/** Decides and answers for the process that has begun this one, until that says that it is enough. */
export function runWorker(): void {
  /** Fields of each line of its log. */
  let base: Readonly<Record<string, unknown>> = {};
  const log = openLog(() => base);

  // Ctrl-C in a terminal and a service manager send them to every process: the primary says when it is time.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  // Without a primary there are no connections, and nobody to count what failed.
  process.on('disconnect', () => process.exit());

  const connections = createIncomingConnections();
  let app: App | undefined;
  const isNews = createNews();
  let spreading: Promise<unknown> = Promise.resolve();

  const own: WorkerHandlers = {
    start: async ({ worker, directory, current, report }) => {
      base = { worker };
      const logger = createLogger(process.env['LOG_LEVEL'], log, base);
      isNews(current.readAt);
      try {
        app = await startApp({
          configuration: current.configuration,
          directory,
          environment: process.env,
          readConfiguration: configurationReader(process.env, programDirectory, `${directory}/config.yml`),
          logger,
          log,
          clock: systemClock,
          primary: {
            files: current.files,
            windows: {
              take: (rule, key) => orRefuse(primary.call('takePlace', { rule, key }, { patience })),
              giveBack: (rule, key, ends) =>
                orRefuse(primary.call('giveBack', { rule, key, ends }, { patience })),
              // The primary has them.
              prune: async () => undefined,
            },
            listen: connections.listen,
            spread: (configuration, files) => {
              const readAt = process.hrtime.bigint();
              isNews(readAt);
              spreading = primary.call(
                'changed',
                { readAt, configuration, files },
                { patience: patienceForAll },
              );
              // Whoever waits for it learns.
              spreading.catch(() => undefined);
            },
            spreadToAll: async () => {
              const waited = spreading;
              try {
                await waited;
              } finally {
                // What failed is the fault of one change, and not of those that come.
                if (spreading === waited) spreading = Promise.resolve();
              }
            },
            readiness: () => primary.call('readinessOfAll', undefined, { patience: patienceForAll }),
            expose: () => primary.call('metricsOfAll', undefined, { patience: patienceForAll }),
            exchanges: {
              list: () => primary.call('exchangesOfAll', undefined, { patience: patienceForAll }),
              cut: (id) => primary.call('cutExchange', id, { patience: patienceForAll }),
            },
            writesToRecorder: worker === 1,
          },
        });
        app.reloads.follow(report);
      } catch (error) {
        if (error instanceof ConfigurationError)
          for (const problem of error.problems) logger.fatal(problem, describeProblem(problem));
        else logger.fatal({ err: error }, `cannot start: ${(error as Error).message}`);
        throw error;
      }
    },
    isThere: () => undefined,
    connection: (listener, socket) => connections.take(listener, socket),
    take: (current) => {
      // What was changed here meanwhile comes back with the next.
      if (isNews(current.readAt)) running().take(current.configuration, current.files);
    },
    report: (report) => running().reloads.follow(report),
    metrics: () => running().own.metrics(),
    exchanges: () => running().exchanges.list(),
    cutExchange: (id) => running().exchanges.cut(id),
    readiness: () => running().own.readiness(),
    leave: () => running().leave(),
    stop: async (wait) => running().close(wait),
  };

  function running(): App {
    if (app === undefined) throw new Error('not started yet');
    return app;
  }

  const primary = connectPeer<PrimaryHandlers>(
    {
      send: (message, handle, options, onSent) => process.send?.(message, handle, options, onSent),
      onMessage: (take) => process.on('message', take),
    },
    own,
  );
}

/** A primary that cannot be asked lets nobody through. */
function orRefuse<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((cause: unknown) => {
    throw new AppError('store_unavailable', { cause });
  });
}
