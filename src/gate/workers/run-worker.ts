import { systemClock } from '../../clock.ts';
import { configurationReader } from '../../config/load.ts';
import { ConfigurationError, describeProblem } from '../../config/problem.ts';
import { programDirectory } from '../../version.ts';
import { startApp, type App } from '../app.ts';
import { createLogger, openLog } from '../../telemetry/logger.ts';
import { askedPrimary } from './asked-primary.ts';
import { connectPeer, type Peer } from './calls.ts';
import { createIncomingConnections } from './incoming-connections.ts';
import type { PrimaryHandlers, WorkerHandlers } from './messages.ts';
import { acceptNewer } from './accept-newer.ts';

/** Decides and answers for the primary, until the primary stops this process. */
export function runWorker(): void {
  /** Fields of each line of its log. */
  let base: Readonly<Record<string, unknown>> = {};
  const log = openLog(() => base);

  // A terminal (Ctrl-C) and a service manager send these to every process: the primary decides when to stop.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  // Without a primary there are no connections, and no shared count of failures.
  process.on('disconnect', () => process.exit());

  const connections = createIncomingConnections();
  const isNewer = acceptNewer();

  const handlersOf = (primary: Peer<PrimaryHandlers>): WorkerHandlers => {
    const asked = askedPrimary(primary, isNewer);
    let app: App | undefined;
    const running = (): App => {
      if (app === undefined) throw new Error('not started yet');
      return app;
    };
    return {
      start: async ({ worker, directory, current, report }) => {
        base = { worker };
        const logger = createLogger(process.env['LOG_LEVEL'], log, base);
        isNewer(current.readAt);
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
              ...asked,
              files: current.files,
              listen: connections.listen,
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
        // What was changed here meanwhile arrives with the next version.
        if (isNewer(current.readAt)) running().take(current.configuration, current.files);
      },
      report: (report) => running().reloads.follow(report),
      metrics: () => running().own.metrics(),
      streams: () => running().streams.list(),
      cutStream: (id) => running().streams.cut(id),
      readiness: () => running().own.readiness(),
      leave: () => running().leave(),
      stop: async (wait) => running().close(wait),
    };
  };
  connectPeer<PrimaryHandlers>(
    {
      send: (message, handle, options, onSent) => process.send?.(message, handle, options, onSent),
      onMessage: (take) => process.on('message', take),
    },
    handlersOf,
  );
}
