import { Hono } from 'hono';
import pLimit from 'p-limit';
import * as v from 'valibot';
import { username } from '../../accounts/credentials.ts';
import { BlockedLogin, type Login } from '../../accounts/login.ts';
import type { Users } from '../../accounts/users.ts';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import { lacksSecondFactor } from '../../authentication/session-token.ts';
import type { OidcConfiguration } from '../../config/configuration.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { clientOf } from '../../fronts/client.ts';
import type { FactorLogin } from '../../second-factor/login.ts';
import type { Passkeys } from '../../second-factor/passkeys.ts';
import type { LoginResult } from '../../telemetry/tallies.ts';
import { validBody } from '../../validation.ts';
import type { ApiEnvironment } from '../request-context.ts';
import { finishLogin, type FinishLoginDependencies } from './finish-login.ts';
import { limitedLogin } from './limited-login.ts';
import { requireSameSite } from '../require-same-site.ts';

const text = v.string('Input should be text');
export const credentials = v.object({ user: text, password: text });

export interface LoginDependencies extends FinishLoginDependencies {
  readonly login: Login;
  /** Undefined: nobody signs in at a provider. */
  readonly signOn:
    | { readonly oidc: Pick<OidcConfiguration, 'label' | 'automatic' | 'localLogin'> }
    | undefined;
  readonly factorLogin: Pick<FactorLogin, 'ask'>;
  readonly passkeys: Pick<Passkeys, 'arePossible'>;
  readonly users: Pick<Users, 'findTyped' | 'isGeneratedPasswordUnused'>;
}

/** Failed logins whose names are looked up; of more at once nobody needs to know. */
const mostWaiting = 100;

/** `/api/login`, which needs no identity. */
export function loginRoutes(dependencies: LoginDependencies) {
  const oidc = dependencies.signOn?.oidc;
  const { login, factorLogin, passkeys, users, settings, current, audit, tallies } = dependencies;
  // A flood of guesses would keep decisions from a store that is shared.
  const inTurn = pLimit(1);
  const findName = async (name: string) =>
    inTurn.pendingCount < mostWaiting
      ? inTurn(async () => (await users.findTyped(name))?.username)
      : undefined;
  /** Only the name of a user is told: what else was typed as one may be a password. */
  const failedLogin = async (name: string, error: unknown): Promise<AuditEntry> => {
    const code = error instanceof AppError ? error.code : 'internal';
    // The answer does not depend on it.
    const canBeFound = v.is(username, name) && code !== 'store_unavailable';
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

  return new Hono<ApiEnvironment>()
    .get('/', async (c) => {
      c.header('cache-control', 'no-store');
      const enabled = settings.mode === 'session';
      return c.json({
        enabled,
        generated_password_unused: enabled && (await users.isGeneratedPasswordUnused()),
        return_domains: settings.returnDomains,
        contact: settings.contact ?? null,
        provider: oidc === undefined ? null : { label: oidc.label, automatic: oidc.automatic },
        local_login: oidc?.localLogin ?? true,
        passkeys: enabled && passkeys.arePossible,
      });
    })
    .post(
      '/',
      async (c, next) => {
        if (settings.mode === 'proxy') throw new AppError('authentication_disabled');
        await requireSameSite(c, dependencies);
        await next();
      },
      validBody(credentials),
      async (c) => {
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
        const profile = await finishLogin(dependencies, c, found, { source: 'password' });
        const mustSetUp = lacksSecondFactor(found, profile.role, settings.secondFactorFor);
        return c.json({ ...profile, ...(mustSetUp && { second_factor: 'set_up' as const }) });
      },
    );
}

export type LoginApi = ReturnType<typeof loginRoutes>;

function resultOf(code: ErrorCode): LoginResult {
  if (code === 'login_failed') return 'failure';
  return code === 'too_many_requests' ? 'limited' : 'error';
}
