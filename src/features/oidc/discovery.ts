import type { Clock } from '../../clock.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { providerErrorOf } from '../../accounts/provider/provider-error.ts';

/** Milliseconds between two attempts to reach a provider that failed. */
export const pauseAfterFailure = 10_000;

/** Milliseconds after which the metadata is read again. */
const longestKept = 3_600_000;

interface DiscoveryDependencies<T> {
  /** @throws any error */
  readonly ask: () => Promise<T>;
  readonly issuer: string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Caches a provider's metadata (OpenID Connect Discovery 1.0). It is read at first use, so that the gate starts without the
 * provider. Old metadata is read again in the background.
 * @returns a function that rejects with a ProviderError: after a failure with the same one, until it is time to retry
 */
export function createDiscovery<T>({
  ask,
  issuer,
  clock,
  logger,
}: DiscoveryDependencies<T>): () => Promise<T> {
  let found: { readonly value: T; readonly at: number } | undefined;
  let failed: { readonly error: Error; readonly at: number } | undefined;
  let asking: Promise<T> | undefined;

  const learn = async () => {
    try {
      const value = await ask();
      if (failed !== undefined) logger.info({ issuer }, 'the provider of sign-on answers again');
      found = { value, at: clock.now() };
      failed = undefined;
      return value;
    } catch (thrown) {
      const error = providerErrorOf(thrown);
      if (failed?.error.message !== error.message)
        logger.warn(
          { issuer, kind: error.kind, cause: error.message },
          'the provider of sign-on is of no help',
        );
      failed = { error, at: clock.now() };
      throw error;
    }
  };
  const askAgain = (): Promise<T> => {
    if (failed !== undefined && isWithin(pauseAfterFailure, failed.at, clock))
      return Promise.reject(failed.error);
    asking ??= learn().finally(() => (asking = undefined));
    return asking;
  };
  return () => {
    if (found === undefined) return askAgain();
    if (!isWithin(longestKept, found.at, clock)) askAgain().catch(() => undefined);
    return Promise.resolve(found.value);
  };
}

/** Whether less than so many milliseconds have passed, by a clock that may go back. */
export function isWithin(milliseconds: number, since: number, clock: Clock): boolean {
  return Math.abs(clock.now() - since) < milliseconds;
}
