import { bootstrapAdmin, firstAdminPassword } from '../accounts/users/bootstrap.ts';
import { deriveInPool } from '../accounts/users/key-derivation.ts';
import { createPasswordHasher, type PasswordHasherOptions } from '../accounts/users/password-hash.ts';
import type { Environment } from '../config/environment.ts';
import type { Configuration } from '../config/configuration.ts';
import { servesSample } from '../events/sample.ts';
import { onceItAnswers } from '../store/slow-store.ts';
import type { LogQueue } from '../telemetry/logger.ts';
import type { Services } from './services.ts';

export interface BeginningOptions {
  readonly configuration: Configuration;
  readonly environment: Environment;
  /** Destination of the log. */
  readonly log: Pick<LogQueue, 'dropped' | 'onceRecovered'>;
  readonly passwordHasher?: PasswordHasherOptions;
}

/** Runs once at a start, when everything listens: makes the first account. */
export async function beginOnce(services: Services, options: BeginningOptions): Promise<void> {
  const { auth } = options.configuration;
  if (servesSample(options.configuration))
    services.foundation.logger.info(
      'the events are the bundled sample: connect your recorder (docs/recorder.md)',
    );
  if (auth.enabled) await announceAdmin(services, options, auth.resetAdminPassword);
}

/** Finds what would stop `beginOnce`, before anything listens. @throws ConfigurationError */
export async function requireBeginning(
  { users }: Services['accounts'],
  { configuration: { auth }, environment }: Pick<BeginningOptions, 'configuration' | 'environment'>,
): Promise<void> {
  if (auth.enabled) firstAdminPassword(environment, await onceItAnswers(() => users.list()));
}

async function announceAdmin(
  { accounts: { users }, foundation: { logger, audit } }: Services,
  { log, passwordHasher, environment }: BeginningOptions,
  reset: boolean,
): Promise<void> {
  const hasher = createPasswordHasher({ derive: deriveInPool, ...passwordHasher });
  const bootstrapped = await bootstrapAdmin(users, hasher, reset, environment);
  if (bootstrapped === undefined) return;
  const { done, password, ended } = bootstrapped;
  if ('source' in password) {
    logger.info(`${done} user "admin" with the password of ${password.source}`);
    await audit.record({ event: 'user_added', source: 'system', object: 'admin', detail: { role: 'admin' } });
    return;
  }
  // The only secret that the log ever holds: there is no other way to hand it over.
  const announce = () =>
    logger.warn(`********** ${done} user "admin", password: ${password.generated} **********`);
  const droppedBefore = log.dropped();
  announce();
  if (log.dropped() > droppedBefore) {
    const announceAgain = async () => {
      if (await users.isGeneratedPasswordUnused().catch(() => true)) announce();
    };
    log.onceRecovered(() => void announceAgain());
  }
  await audit.record({
    event: 'admin_password_generated',
    source: 'system',
    object: 'admin',
    detail: { done, ...ended },
  });
  if (reset)
    logger.warn(
      { ...ended },
      'take auth.reset_admin_password out again: every start resets the password of admin, and ends its sessions, API tokens and shares',
    );
}
