import { withTimeout } from '../../clock.ts';
import type { Sealing } from '../sealing.ts';
import type { ProviderSessions } from './provider-sessions.ts';
import type { Provider } from './provider.ts';

/** OpenID Connect RP-Initiated Logout 1.0: a logout here signs out at the provider too. */
export interface ProviderLogout {
  /**
   * Runs before the session ends here, since its row with the ID token goes with it. It never throws.
   * @param sessionId undefined: the provider asks the user, who may not have wanted this
   */
  prepare(sessionId: string | undefined): Promise<PreparedLogout>;
  /** @returns where the browser goes after the provider's logout; undefined: not specified, or too long ago */
  nextOf(state: string | undefined): Promise<string | undefined>;
}

export interface PreparedLogout {
  /**
   * @param next a path of this site, where the next user continues
   * @returns undefined when the provider offers no logout, or its metadata is not there in time
   */
  urlTo(next: string | undefined): Promise<string | undefined>;
}

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
