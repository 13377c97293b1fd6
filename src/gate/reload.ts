import type { Logger } from '../telemetry/logger.ts';
import type { Configuration } from '../config/configuration.ts';
import { ConfigurationError, describeProblem } from '../config/problem.ts';
import type { ReloadRecord, ReloadReport } from '../config/reload-report.ts';

export interface Reloading {
  /** Reads the files again, one attempt after the other. A fault is logged and reported, and changes nothing. */
  reload(cause: string): Promise<void>;
  report(): ReloadReport;
  /** The configuration that was applied last. */
  running(): Configuration;
}

export function createReloading(options: {
  readonly running: Configuration;
  /** @throws ConfigurationError with every problem */
  readonly read: () => Configuration;
  readonly app: {
    /** The current one, with what the UI has written since the last reload. */
    readonly configuration: () => Configuration;
    /** @returns keys that need a restart. @throws ConfigurationError; then nothing has changed */
    readonly reload: (configuration: Configuration, readAt: bigint) => Promise<readonly string[]>;
    readonly reloads: ReloadRecord;
    /** Called after each attempt, before the next one. */
    readonly recordReload: () => Promise<void>;
  };
  readonly logger: Logger;
}): Reloading {
  const { read, app, logger } = options;
  const { reloads } = app;
  let { running } = options;
  const attempt = async (cause: string) => {
    try {
      const readAt = process.hrtime.bigint();
      const configuration = read();
      const waiting = await app.reload(configuration, readAt);
      running = configuration;
      reloads.succeed(cause, waiting);
      for (const warning of configuration.warnings) logger.warn(warning);
      logger.info(
        { event: 'configuration_reloaded', cause, hash: reloads.read().hash },
        'configuration reloaded',
      );
      if (waiting.length > 0) logger.warn({ keys: waiting }, 'these changes wait for a restart');
    } catch (error) {
      const problems = error instanceof ConfigurationError ? error.problems : [];
      reloads.fail(cause, problems);
      for (const problem of problems) logger.error(problem, describeProblem(problem));
      logger.error(
        {
          event: 'configuration_refused',
          cause,
          ...(error instanceof ConfigurationError ? {} : { err: error }),
        },
        `${problems.length} problem(s) in the configuration: nothing was changed`,
      );
    }
    await app.recordReload();
  };
  let queue = Promise.resolve();
  return {
    reload: (cause) => (queue = queue.then(() => attempt(cause))),
    report: reloads.read,
    running: () => running,
  };
}
