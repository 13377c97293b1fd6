import * as v from 'valibot';
import type { Settings } from '../../access/settings/settings.ts';
import type { Factors, Passkey } from '../../accounts/second-factor/factors.ts';
import type { Passkeys } from '../../accounts/second-factor/passkeys.ts';
import type { Session } from '../../accounts/sessions/session-token.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { type Clock, wholeSeconds } from '../../clock.ts';
import { currentRole } from '../../policy/role-access.ts';
import { actorOf } from '../request.ts';
import type { ProviderFaults } from '../doctor/gate-checks.ts';
import { endpoint } from '../endpoint.ts';
import { keptMeaning, keptQuery } from '../query.ts';
import { isProved, stepUpNeeded } from '../require-step-up.ts';
import { seconds } from './schemas.ts';
import { ownFactor, ownSession } from './own-factors.ts';

export const passkey = v.strictObject({
  id: v.string(),
  name: v.string(),
  created_at: seconds,
  last_used_at: v.nullable(seconds),
});

export interface SignInMethodsDependencies {
  readonly settings: Settings;
  readonly factors: Pick<Factors, 'of'>;
  readonly passkeys: Pick<Passkeys, 'arePossible'>;
  /** Where federated users sign in; undefined without a provider. */
  readonly provider: { readonly label: string } | undefined;
  readonly providerSessions: Pick<ProviderFaults, 'find'>;
  readonly clock: Clock;
}

export const readSignInMethods = endpoint({
  method: 'get',
  path: '/postern/api/sign-in-methods',
  ...ownFactor,
  tag: 'Sign-in methods',
  summary: 'List your sign-in methods',
  answers: {
    200: {
      meaning: 'Your sign-in methods.',
      body: v.strictObject({
        password: v.boolean(),
        provider: v.pipe(
          v.nullable(
            v.strictObject({
              label: v.string(),
              fault: v.pipe(
                v.nullable(v.picklist(['away', 'nonsense', 'unreadable'])),
                v.description('Why the provider could not be asked whether your session may continue.'),
              ),
              session_ends_at: seconds,
            }),
          ),
          v.description('Where you sign in; null for an account of Postern.'),
        ),
        passkeys_possible: v.pipe(v.boolean(), v.description('They need `public_url`.')),
        passkeys: v.array(passkey),
        one_time_code: v.nullable(v.strictObject({ created_at: seconds })),
        recovery_codes_left: v.number(),
        required: v.pipe(v.boolean(), v.description('Whether your role needs a second factor.')),
        proof_needed: v.pipe(
          v.boolean(),
          v.description('Whether a change needs `POST /postern/api/step-up` first.'),
        ),
      }),
    },
    404: { meaning: '`auth.enabled` is `false`: an upstream proxy signs users in.' },
  },
  handle:
    ({ settings, factors, passkeys, provider, providerSessions, clock }: SignInMethodsDependencies) =>
    async (c) => {
      const session = ownSession(c, settings);
      const { username, role, issuer } = session.user;
      const isLocal = issuer === undefined;
      const has = await factors.of(username);
      const isRequired = settings.secondFactorFor.has(currentRole(role, settings.rules.roles));
      return {
        password: isLocal,
        provider:
          isLocal || provider === undefined
            ? null
            : {
                label: provider.label,
                fault: await faultOf(session, providerSessions),
                session_ends_at: session.expiresAt / 1000,
              },
        passkeys_possible: isLocal && passkeys.arePossible,
        passkeys: has.passkeys.map(listedPasskey),
        one_time_code:
          has.oneTimeCode === undefined ? null : { created_at: wholeSeconds(has.oneTimeCode.createdAt) },
        recovery_codes_left: has.recoveryCodesLeft,
        required: isLocal && isRequired,
        proof_needed: isLocal && !isProved(session, clock),
      };
    },
});

async function faultOf({ claims }: Session, providerSessions: SignInMethodsDependencies['providerSessions']) {
  return (await providerSessions.find(claims.sessionId))?.fault ?? null;
}

export function listedPasskey({ id, name, createdAt, lastUsedAt }: Passkey) {
  return {
    id,
    name,
    created_at: wholeSeconds(createdAt),
    last_used_at: lastUsedAt === undefined ? null : wholeSeconds(lastUsedAt),
  };
}

export interface FactorResetDependencies {
  readonly settings: Settings;
  readonly factors: Pick<Factors, 'resetFactors'>;
  readonly audit: Pick<AuditLog, 'record'>;
}

export const resetFactors = endpoint({
  method: 'delete',
  path: '/postern/api/users/:username/factors',
  level: 'admin-only',
  requiresSession: true,
  tag: 'Users',
  summary: 'Remove all second factors of a user',
  description:
    "For a user who has lost them. It ends the user's sessions, and the user's API tokens and shares except those that `keep` names.",
  pathParameters: { username: 'Name of a user.' },
  query: v.object({ keep: keptQuery }),
  queryParameters: { keep: keptMeaning },
  answers: {
    204: { meaning: 'Removed.' },
    403: stepUpNeeded,
    404: { meaning: 'There is no such user.' },
    409: { meaning: 'The user signs in at the provider, and has no second factors here.' },
  },
  handle:
    ({ settings, factors, audit }: FactorResetDependencies) =>
    async (c) => {
      const { username } = c.req.param();
      const { ended } = await factors.resetFactors(username, c.var.permit, c.req.valid('query'));
      await audit.record({
        event: 'factors_reset',
        ...actorOf(c, settings),
        object: username,
        detail: ended,
      });
    },
});
