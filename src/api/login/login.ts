import pLimit from 'p-limit';
import * as v from 'valibot';
import { federatedUserName } from '../../policy/names.ts';
import { BlockedLogin, type Login } from '../../accounts/users/login.ts';
import type { Users } from '../../accounts/users/users.ts';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import { lacksSecondFactor } from '../../access/authentication/session-token.ts';
import type { OidcConfiguration } from '../../config/configuration.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { clientOf } from '../../http/fronts/client.ts';
import type { FactorLogin } from '../../accounts/second-factor/login.ts';
import type { Passkeys } from '../../accounts/second-factor/passkeys.ts';
import type { LoginResult } from '../../telemetry/tallies.ts';
import { endpoint } from '../endpoint.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { profile } from '../users/profile.ts';
import { requireSameSite } from '../request.ts';
import { type FinishLoginDependencies, finishLogin, limitedLogin } from './end-login.ts';

const text = v.string('Input should be text');
const credentials = v.object({ user: text, password: text });

export interface LoginDependencies {
  readonly settings: Settings;
  /** Begins the session once the user is known. */
  readonly finishing: FinishLoginDependencies;
  readonly login: Login;
  /** `undefined` if there is no provider. */
  readonly signOn:
    | { readonly oidc: Pick<OidcConfiguration, 'label' | 'automatic' | 'localLogin'> }
    | undefined;
  readonly factorLogin: Pick<FactorLogin, 'ask'>;
  readonly passkeys: Pick<Passkeys, 'arePossible'>;
  readonly users: Pick<Users, 'findTyped' | 'havePasskeys' | 'isGeneratedPasswordUnused'>;
}

/** Failed logins whose names are looked up at the same time; the names of more are not needed. */
const mostWaiting = 100;

export const readLoginMethods = endpoint({
  method: 'get',
  path: '/api/login',
  level: 'public',
  tag: 'Sign-in',
  summary: 'Get the sign-in methods of the login page',
  answers: {
    200: {
      meaning: 'The methods, and what the login page shows.',
      body: v.strictObject({
        enabled: v.pipe(v.boolean(), v.description('Whether Postern has accounts of its own.')),
        generated_password_unused: v.pipe(
          v.boolean(),
          v.description('Whether the generated password from the log has not been used yet.'),
        ),
        return_domains: v.pipe(
          v.array(v.string()),
          v.description('Origins besides this site to which a login may lead back.'),
        ),
        passkeys: v.pipe(
          v.boolean(),
          v.description(
            'Whether anyone can sign in with a passkey: they need `public_url`, and someone has one.',
          ),
        ),
        provider: v.nullable(
          v.strictObject({
            label: v.pipe(v.string(), v.description('Name of the provider, for people.')),
            automatic: v.pipe(v.boolean(), v.description('Whether `/login` leads straight there.')),
          }),
        ),
        local_login: v.pipe(
          v.boolean(),
          v.description('Whether the login page shows its form without `/login?local`.'),
        ),
        contact: v.pipe(
          v.nullable(v.string()),
          v.description(
            'Contact for help: a text, a `mailto:` or an https address; `contact` in the configuration.',
          ),
        ),
      }),
    },
  },
  handle:
    ({ signOn, settings, users, passkeys }: LoginDependencies) =>
    async (c) => {
      const oidc = signOn?.oidc;
      c.header('cache-control', 'no-store');
      const enabled = settings.mode === 'session';
      return {
        enabled,
        generated_password_unused: enabled && (await users.isGeneratedPasswordUnused()),
        return_domains: settings.returnDomains,
        contact: settings.contact ?? null,
        provider: oidc === undefined ? null : { label: oidc.label, automatic: oidc.automatic },
        local_login: oidc?.localLogin ?? true,
        passkeys: enabled && passkeys.arePossible && (await users.havePasskeys()),
      };
    },
});

export const logIn = endpoint({
  method: 'post',
  path: '/api/login',
  level: 'public',
  tag: 'Sign-in',
  summary: 'Sign in',
  description:
    'The token in the cookie is also valid as `Authorization: Bearer`. A refusal looks the same and takes the same time whether the user exists or not. A program may leave out `Content-Type`, as at Frigate.',
  body: credentials,
  bodyMayLackType: true,
  bodyExample: { user: 'olaf', password: 'correct horse battery' },
  answers: {
    200: {
      meaning: 'Signed in; `Set-Cookie` has the session token.',
      body: v.strictObject({
        ...profile.entries,
        second_factor: v.optional(
          v.pipe(
            v.literal('set_up'),
            v.description('The role needs a second factor: nothing else is open until you set one up.'),
          ),
        ),
      }),
    },
    401: {
      meaning:
        'The user or the password is wrong. Or both are right, and `code` is `second_factor_needed`: `POST /postern/api/login/second-factor` finishes the login with `challenge`, by one of `methods` (`passkey`, `one_time_code`, `recovery_code`).',
    },
    404: { meaning: '`auth.enabled` is `false`: an upstream proxy signs users in.' },
    429: {
      meaning:
        'Too many failures from this address, or too many logins at once; `Retry-After` has the seconds.',
    },
  },
  before: (dependencies: LoginDependencies) => async (c) => {
    if (dependencies.settings.mode === 'proxy') throw new AppError('authentication_disabled');
    await requireSameSite(c, dependencies.finishing);
  },
  handle: (dependencies: LoginDependencies) => {
    const { login, factorLogin, settings, finishing } = dependencies;
    const { current, audit, tallies } = finishing;
    const failedLogin = describeFailedLogins(dependencies);
    return async (c) => {
      const { user, password } = c.req.valid('json');
      const { address } = clientOf(c.env, settings);
      const found = await login.verify(user, password, address).catch(async (error: unknown) => {
        tallies.logins[resultOf(error instanceof AppError ? error.code : 'internal')] += 1;
        await audit.record({ ...(await failedLogin(user, error)), address });
        c.set('isRecorded', true);
        throw error;
      });
      const needed = await factorLogin.ask(found);
      if (needed !== undefined) {
        if (current().settings.mode === 'proxy') throw new AppError('authentication_disabled');
        await audit.record({
          event: 'second_factor_asked',
          user: found.username,
          source: 'password',
          address,
        });
        throw new AppError('second_factor_needed', { also: needed });
      }
      const profile = await finishLogin(finishing, c, found, { source: 'password' });
      const mustSetUp = lacksSecondFactor(found, profile.role, settings.secondFactorFor);
      return { ...profile, ...(mustSetUp && { second_factor: 'set_up' as const }) };
    };
  },
});

function describeFailedLogins({ users }: LoginDependencies) {
  // A flood of guesses would slow down decisions at a shared store.
  const inTurn = pLimit(1);
  const findName = async (name: string) =>
    inTurn.pendingCount < mostWaiting
      ? inTurn(async () => (await users.findTyped(name))?.username)
      : undefined;
  /** Records only names of users: anything else in the field may be a password. */
  return async (name: string, error: unknown): Promise<AuditEntry> => {
    const code = error instanceof AppError ? error.code : 'internal';
    // The answer does not depend on it.
    const canBeFound = federatedUserName(name) !== undefined && code !== 'store_unavailable';
    const user = canBeFound ? await findName(name).catch(() => undefined) : undefined;
    if (code === 'too_many_requests') return { ...limitedLogin, user };
    const whose = user === undefined ? 'user_unknown' : 'wrong_password';
    const failure = error instanceof BlockedLogin ? 'user_blocked' : whose;
    return {
      event: 'login_failed',
      user,
      reason: code === 'login_failed' ? failure : code,
      detail: { code },
    };
  };
}

function resultOf(code: ErrorCode): LoginResult {
  if (code === 'login_failed') return 'failure';
  return code === 'too_many_requests' ? 'limited' : 'error';
}
