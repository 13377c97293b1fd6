import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from '../config/configuration.ts';
import type { Revocations } from '../identity/sessions/revocations.ts';
import { createSessionTokens } from '../identity/sessions/session-token.ts';
import { createSessions, type Sessions, type SessionsDependencies } from '../identity/sessions/sessions.ts';

/** Sessions as a configuration wants them: the same for as long as that says the same of them. */
export type KeptSessions = (
  configuration: Pick<Configuration, 'auth' | 'cache'>,
  jwtSecret: string,
  revocations: Revocations,
) => Sessions;

/** What is remembered of sessions stays while what they depend on does: other custom roles are nothing to them. */
export function keptSessions(
  dependencies: Pick<SessionsDependencies, 'clock' | 'storeVersion' | 'tally' | 'latestExpiry'>,
): KeptSessions {
  let kept: { readonly of: readonly unknown[]; readonly sessions: Sessions } | undefined;
  return ({ auth: { sessionLength, refreshTime, oidc }, cache }, jwtSecret, revocations) => {
    const of = [jwtSecret, sessionLength, refreshTime, oidc?.issuer, cache.sessions];
    if (kept !== undefined && isDeepStrictEqual(kept.of, of)) return kept.sessions;
    const tokens = createSessionTokens(jwtSecret, dependencies.clock);
    const lengths = { sessionLength, refreshTime, rememberedBytes: cache.sessions };
    const issuer = oidc?.issuer;
    kept = { of, sessions: createSessions({ ...dependencies, ...lengths, issuer, tokens, revocations }) };
    return kept.sessions;
  };
}
