import { withTimeout } from '../../clock.ts';
import type { Sealing } from '../sealing.ts';
import type { ProviderSessions } from './provider-sessions.ts';
import type { Provider } from './provider.ts';

/** OpenID Connect RP-Initiated Logout 1.0: whoever logs out here logs out at the provider too. */
export interface ProviderLogout {
  /**
   * Before the session ends here, which takes with it what the provider gave. It never throws.
   * @param sessionId undefined: the provider is to ask the person, who may not have wanted this
   */
  prepare(sessionId: string | undefined): Promise<PreparedLogout>;
  /** @returns where somebody goes on who came back from the provider; undefined: nobody said, or it is too long ago */
  nextOf(state: string | undefined): Promise<string | undefined>;
}

export interface PreparedLogout {
  /**
   * @param next a path of this site, where somebody else goes on
   * @returns undefined when the provider offers no logout, or does not say so in time
   */
  urlTo(next: string | undefined): Promise<string | undefined>;
}

/** Seconds that somebody may take at the provider, to be led on from there. */
const stateSeconds = 600;

/** Milliseconds in which a logout waits for what the provider offers: usually that is known. */
const timeoutMs = 2_000;

/** A longer ID token makes a header line that fronts refuse; without it the provider asks the person. Characters. */
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
