import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from '../config/configuration.ts';
import type { Revocations } from '../accounts/sessions/revocations.ts';
import { createSessionTokens } from '../accounts/sessions/session-token.ts';
import { createSessions, type Sessions, type SessionsDependencies } from '../accounts/sessions/sessions.ts';

/** Sessions by a configuration: the same object for as long as its session settings stay the same. */
export type KeptSessions = (
  configuration: Pick<Configuration, 'auth'>,
  jwtSecret: string,
  revocations: Revocations,
) => Sessions;

/** The cache of sessions lives as long as the settings that it depends on; custom roles do not matter to it. */
export function keptSessions(
  dependencies: Pick<SessionsDependencies, 'clock' | 'storeVersion' | 'tally' | 'latestExpiry'>,
): KeptSessions {
  let kept: { readonly of: readonly unknown[]; readonly sessions: Sessions } | undefined;
  return ({ auth: { sessionLength, refreshTime, oidc } }, jwtSecret, revocations) => {
    const of = [jwtSecret, sessionLength, refreshTime, oidc?.issuer];
    if (kept !== undefined && isDeepStrictEqual(kept.of, of)) return kept.sessions;
    const tokens = createSessionTokens(jwtSecret, dependencies.clock);
    const lengths = { sessionLength, refreshTime };
    const issuer = oidc?.issuer;
    kept = { of, sessions: createSessions({ ...dependencies, ...lengths, issuer, tokens, revocations }) };
    return kept.sessions;
  };
}
