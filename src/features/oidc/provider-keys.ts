import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../clock.ts';
import type { BoundedFetch } from '../../accounts/provider/bounded-fetch.ts';
import { isWithin, pauseAfterFailure } from './discovery.ts';
import { ProviderError, providerErrorOf } from '../../accounts/provider/provider-error.ts';

/** Milliseconds after which an unknown key may cause another read. */
const pauseBetweenKeys = 10_000;

/**
 * The provider's signing keys, read when an unknown one is needed. Forged tokens cause one read in ten seconds at most, also
 * while the provider returns no keys.
 */
export function createProviderKeys(uri: string, fetch: BoundedFetch, clock: Clock): JWTVerifyGetKey {
  let failed: { readonly error: Error; readonly at: number } | undefined;
  const fetchKeys: BoundedFetch = async (url, options) => {
    if (failed !== undefined && isWithin(pauseAfterFailure, failed.at, clock)) throw failed.error;
    try {
      const response = await fetch(url, options);
      const { keys } = (await response.clone().json()) as { readonly keys?: unknown };
      if (!response.ok || !Array.isArray(keys)) throw new ProviderError('nonsense', `${url} has no keys`);
      failed = undefined;
      return response;
    } catch (thrown) {
      failed = { error: providerErrorOf(thrown), at: clock.now() };
      throw failed.error;
    }
  };
  return createRemoteJWKSet(new URL(uri), { [customFetch]: fetchKeys, cooldownDuration: pauseBetweenKeys });
}
