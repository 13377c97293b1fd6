import type { Configuration } from '../config/configuration.ts';
import { createSessionTokens } from '../identity/sessions/session-token.ts';
import { createSessions, type Sessions, type SessionsDependencies } from '../identity/sessions/sessions.ts';
import { keepLatest } from '../keep-latest.ts';

/** Sessions by a configuration: the same object for as long as its session settings stay the same. */
export type KeptSessions = (
  configuration: Pick<Configuration, 'auth' | 'cache'>,
  jwtSecret: string,
) => Sessions;

/** The cache of sessions lives as long as the settings that it depends on; custom roles do not matter to it. */
export function keptSessions(
  dependencies: Pick<
    SessionsDependencies,
    'clock' | 'storeVersion' | 'tally' | 'latestExpiry' | 'revocations'
  >,
): KeptSessions {
  type Lengths = Pick<SessionsDependencies, 'sessionLength' | 'refreshTime' | 'rememberedBytes'>;
  const sessionsOf = keepLatest((jwtSecret: string, issuer: string | undefined, lengths: Lengths) => {
    const tokens = createSessionTokens(jwtSecret, dependencies.clock);
    return createSessions({ ...dependencies, ...lengths, issuer, tokens });
  });
  return ({ auth: { sessionLength, refreshTime, oidc }, cache }, jwtSecret) =>
    sessionsOf(jwtSecret, oidc?.issuer, { sessionLength, refreshTime, rememberedBytes: cache.sessions });
}
