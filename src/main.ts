import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from './clock.ts';
import { startApp } from './gate/app.ts';
import { configurationReader, loadConfiguration } from './config/load.ts';
import { ListenError } from './config/listen.ts';
import { openFilesLimit, requireOpenFiles, TooFewFiles } from './config/open-files.ts';
import { ConfigurationError, describeProblem } from './config/problem.ts';
import { createReloading } from './gate/reload.ts';
import { watchFiles } from './config/watch.ts';
import { programDirectory as root } from './version.ts';
import { StoreError } from './store/store.ts';
import { createLogger, openLog } from './telemetry/logger.ts';

/** EX_CONFIG of sysexits.h. */
const exitConfiguration = 78;

async function runGate(): Promise<void> {
  const log = openLog();
  const logger = createLogger(process.env['LOG_LEVEL'], log);

  // From the beginning: a process with the id 1, as in a container, never gets a signal that it does not listen to, and
  // SIGHUP would end any other.
  let isReloadWanted = false;
  let reload = (): void => void (isReloadWanted = true);
  let stop = (signal: string): void => {
    logger.info({ signal }, 'stopped before everything was started');
    process.exit(0);
  };
  process.on('SIGHUP', () => reload());
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));

  try {
    requireOpenFiles(openFilesLimit());
    const { configuration, directory, trustedHeadersFile, fileFound } = loadConfiguration(process.env, root);
    if (!fileFound) {
      logger.warn({ directory }, 'no config.yml: everything has its default');
    }
    for (const warning of configuration.warnings) logger.warn(warning);
    const app = await startApp({
      configuration,
      directory,
      environment: process.env,
      readConfiguration: configurationReader(process.env, root, `${directory}/config.yml`),
      logger,
      log,
      clock: systemClock,
    });
    logger.info({ ...app.addresses, trustedHeadersFile }, 'ready');

    const reloading = createReloading({
      running: configuration,
      // A mounted list of trusted headers that is lost must not give way to the program's own.
      read: () =>
        loadConfiguration({ ...process.env, SERVICE_TRUSTED_HEADERS_FILE: trustedHeadersFile }, root)
          .configuration,
      app,
      logger,
    });
    reload = () => void reloading.reload('SIGHUP');
    if (isReloadWanted) reload();
    const unwatch = watchFiles({
      files: () => [join(directory, 'config.yml'), trustedHeadersFile, ...app.files()],
      onChange: () => reloading.reload('a file changed'),
      onLeftBehind: (file) =>
        logger.warn(
          { event: 'file_left_behind', file },
          `${file} was replaced where it is mounted from, and this is the previous one: start again, and mount its directory instead of the file`,
        ),
    });

    let isStopping = false;
    stop = (signal) => {
      if (isStopping) {
        logger.warn({ signal }, 'stopped at once');
        process.exit(1);
      }
      isStopping = true;
      logger.info({ signal }, 'stopping');
      unwatch();
      const { shutdownDelay, shutdownTimeout } = reloading.running();
      app.leave();
      void pause(shutdownDelay)
        .then(() => app.close(shutdownTimeout))
        .then(() => process.exit(0));
    };
    await app.recordStart();
  } catch (error) {
    if (error instanceof ConfigurationError) {
      for (const problem of error.problems) logger.fatal(problem, describeProblem(problem));
      logger.fatal(`${error.problems.length} problem(s) in the configuration: nothing was started`);
      process.exitCode = exitConfiguration;
    } else {
      // The stack adds nothing to the address that is taken.
      if (error instanceof ListenError || error instanceof StoreError || error instanceof TooFewFiles)
        logger.fatal(`cannot start: ${error.message}`);
      else logger.fatal({ err: error }, `cannot start: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  }
}

await runGate();
