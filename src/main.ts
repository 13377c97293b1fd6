import { dirname, join } from 'node:path';
import { startApp } from './app.ts';
import { configurationReader, loadConfiguration } from './config/load.ts';
import { ConfigurationError, describeProblem } from './config/problem.ts';
import { createReloading } from './reloading.ts';
import { watchFiles } from './config/watch.ts';
import { createLogger } from './telemetry/logger.ts';

/** EX_CONFIG of sysexits.h. */
const exitConfiguration = 78;

const root = dirname(import.meta.dirname);
const logger = createLogger(process.env['LOG_LEVEL']);

try {
  const { configuration, directory, trustedHeadersFile, fileFound } = loadConfiguration(process.env, root);
  if (!fileFound) {
    logger.warn(
      { directory },
      'no config.yml: everything has its default, and the events are the bundled sample',
    );
  }
  for (const warning of configuration.warnings) logger.warn(warning);
  const app = await startApp({
    configuration,
    directory,
    environment: process.env,
    readConfiguration: configurationReader(process.env, root, `${directory}/config.yml`),
    logger,
    now: () => new Date(),
  });
  logger.info({ ...app.addresses, trustedHeadersFile }, 'ready');

  const reloading = createReloading({
    running: configuration,
    read: () => loadConfiguration(process.env, root).configuration,
    putInForce: app.reload,
    onAttempt: app.recordReload,
    logger,
    now: () => new Date(),
  });
  process.on('SIGHUP', () => void reloading.reload('SIGHUP'));
  const unwatch = watchFiles(
    () => [join(directory, 'config.yml'), trustedHeadersFile, ...app.files()],
    () => reloading.reload('a file changed'),
  );

  let isStopping = false;
  const stop = (signal: string) => {
    if (isStopping) {
      logger.warn({ signal }, 'stopped at once');
      process.exit(1);
    }
    isStopping = true;
    logger.info({ signal }, 'stopping');
    unwatch();
    void app.close(reloading.running().shutdownTimeout).then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await app.recordStart(reloading.report().hash);
} catch (error) {
  if (error instanceof ConfigurationError) {
    for (const problem of error.problems) logger.fatal(problem, describeProblem(problem));
    logger.fatal(`${error.problems.length} problem(s) in the configuration: nothing was started`);
    process.exitCode = exitConfiguration;
  } else {
    logger.fatal({ err: error }, 'cannot start');
    process.exitCode = 1;
  }
}
