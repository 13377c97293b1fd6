import { Hono } from 'hono';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { currentRole } from '../../policy/grant.ts';
import type { Factors, Passkey } from '../../second-factor/factors.ts';
import type { Passkeys } from '../../second-factor/passkeys.ts';
import type { Session } from '../../sessions/session.ts';
import type { ProviderSessions } from '../../sign-on/provider-sessions.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ApiEnvironment } from '../request-context.ts';
import { isProved } from '../require-step-up.ts';
import { ownSession } from './own-session.ts';

export interface SignInMethodsDependencies {
  readonly settings: Settings;
  readonly factors: Pick<Factors, 'of'>;
  readonly passkeys: Pick<Passkeys, 'arePossible'>;
  /** Where people of the provider log in; undefined without one. */
  readonly provider: { readonly label: string } | undefined;
  readonly providerSessions: Pick<ProviderSessions, 'find'>;
  readonly clock: Clock;
}

/** `/postern/api/sign-in-methods`: how whoever asks may log in. */
export function signInMethodsRoutes(dependencies: SignInMethodsDependencies) {
  const { settings, factors, passkeys, provider, providerSessions, clock } = dependencies;
  const faultOf = async ({ claims: { sessionId } }: Session) =>
    (await providerSessions.find(sessionId))?.fault ?? null;
  return new Hono<ApiEnvironment>().get('/', async (c) => {
    const session = ownSession(c, settings);
    const { username, role, issuer } = session.user;
    const isLocal = issuer === undefined;
    const has = await factors.of(username);
    const isRequired = settings.secondFactorFor.has(currentRole(role, settings.rules.customRoles));
    return c.json({
      password: isLocal,
      provider:
        isLocal || provider === undefined
          ? null
          : {
              label: provider.label,
              fault: await faultOf(session),
              session_ends_at: session.expiresAt / 1000,
            },
      passkeys_possible: isLocal && passkeys.arePossible,
      passkeys: has.passkeys.map(listedPasskey),
      one_time_code:
        has.oneTimeCode === undefined ? null : { created_at: wholeSeconds(has.oneTimeCode.createdAt) },
      recovery_codes_left: has.recoveryCodesLeft,
      required: isLocal && isRequired,
      proof_needed: isLocal && !isProved(session, clock),
    });
  });
}

export type SignInMethodsApi = ReturnType<typeof signInMethodsRoutes>;

export function listedPasskey({ id, name, createdAt, lastUsedAt }: Passkey) {
  return {
    id,
    name,
    created_at: wholeSeconds(createdAt),
    last_used_at: lastUsedAt === undefined ? null : wholeSeconds(lastUsedAt),
  };
}
