import { withTimeout } from '../../clock.ts';
import type { ProviderLogout } from '../../api/login/provider-logout.ts';
import type { Sealing } from '../../accounts/sealing.ts';
import type { ProviderSessions } from './provider-sessions.ts';
import type { Provider } from './provider.ts';

/** Seconds that the logout at the provider may take, to return to `next`. */
const stateSeconds = 600;

/** Milliseconds that a logout waits for the provider's metadata, which is usually cached. */
const timeoutMs = 2_000;

/** Characters. A longer ID token makes a header line that fronts reject; without it the provider asks the user. */
const longestHint = 2_048;

const purpose = 'logout';

export function createProviderLogout({
  provider,
  providerSessions,
  sealing,
}: {
  readonly provider: Pick<Provider, 'endSessionUrl'>;
  readonly providerSessions: Pick<ProviderSessions, 'idTokenOf'>;
  readonly sealing: Pick<Sealing, 'issue' | 'read'>;
}): ProviderLogout {
  return {
    prepare: async (sessionId) => {
      const idToken = sessionId && (await providerSessions.idTokenOf(sessionId).catch(() => undefined));
      const hint = idToken && idToken.length <= longestHint ? idToken : undefined;
      return {
        urlTo: async (next) => {
          const found = await withTimeout(provider.endSessionUrl(hint), timeoutMs);
          if (found === undefined) return undefined;
          const url = new URL(found);
          url.searchParams.set('state', await sealing.issue(purpose, { next }, stateSeconds));
          return url.href;
        },
      };
    },
    nextOf: async (state) => {
      const said = state === undefined ? undefined : await sealing.read(purpose, state);
      return typeof said?.['next'] === 'string' ? said['next'] : undefined;
    },
  };
}
