import { createHash } from 'node:crypto';
import type { Logger } from './telemetry/logger.ts';
import type { Configuration } from './config/configuration.ts';
import { ConfigurationError, describeProblem, type Problem } from './config/problem.ts';

/** How the last attempt to read the configuration ended. */
export interface ReloadReport {
  readonly successful: boolean;
  /** Problems of the files, when they could not be taken over. */
  readonly problems: readonly Problem[];
  /** Keys whose change waits for a restart. */
  readonly waiting: readonly string[];
  /** When it was. */
  readonly at: Date;
  /** Of the configuration that is in force; without its secrets. */
  readonly hash: string;
}

export interface Reloading {
  /** Reads the files anew, one attempt after the other. What is wrong is logged and reported, and changes nothing. */
  reload(cause: string): Promise<void>;
  report(): ReloadReport;
  /** The configuration that was taken over last. */
  running(): Configuration;
}

export function createReloading(options: {
  readonly running: Configuration;
  /** @throws ConfigurationError with every problem */
  readonly read: () => Configuration;
  /** @returns keys that wait for a restart. @throws ConfigurationError; then nothing has changed */
  readonly putInForce: (configuration: Configuration) => Promise<readonly string[]>;
  /** Told of each attempt, before the next one. */
  readonly onAttempt: (cause: string, report: ReloadReport) => Promise<void>;
  readonly logger: Logger;
  readonly now: () => Date;
}): Reloading {
  const { read, putInForce, onAttempt, logger, now } = options;
  let { running } = options;
  let report: ReloadReport = {
    successful: true,
    problems: [],
    waiting: [],
    at: now(),
    hash: hashOf(running),
  };
  const attempt = async (cause: string) => {
    try {
      const configuration = read();
      const waiting = await putInForce(configuration);
      running = configuration;
      report = { successful: true, problems: [], waiting, at: now(), hash: hashOf(configuration) };
      for (const warning of configuration.warnings) logger.warn(warning);
      logger.info({ event: 'configuration_reloaded', cause, hash: report.hash }, 'configuration reloaded');
      if (waiting.length > 0) logger.warn({ keys: waiting }, 'these changes wait for a restart');
    } catch (error) {
      const problems = error instanceof ConfigurationError ? error.problems : [];
      report = { ...report, successful: false, problems, at: now() };
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
    await onAttempt(cause, report);
  };
  let queue = Promise.resolve();
  return {
    reload: (cause) => (queue = queue.then(() => attempt(cause))),
    report: () => report,
    running: () => running,
  };
}

/** Sixteen hexadecimal digits that are the same for the same configuration; no secret has a part in them. */
function hashOf({ proxy, fronts, ...configuration }: Configuration): string {
  const { authSecret: _, ...openProxy } = proxy;
  const open = { ...configuration, proxy: openProxy, fronts: fronts.trusted };
  const text = JSON.stringify(open, (__, value: unknown) =>
    value instanceof Map || value instanceof Set ? [...value] : value,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
