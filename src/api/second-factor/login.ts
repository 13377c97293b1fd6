import { Hono, type Next } from 'hono';
import * as v from 'valibot';
import { AppError } from '../../errors.ts';
import { clientOf } from '../../fronts/client.ts';
import { FactorLoginFailed, type FactorLogin } from '../../second-factor/login.ts';
import { invalid, validBody } from '../../validation.ts';
import { finishLogin, type FinishLoginDependencies } from '../login/finish-login.ts';
import { recordLimitedLogin } from '../login/limited-login.ts';
import type { ApiContext, ApiEnvironment } from '../request-context.ts';
import { requireSameSite } from '../require-same-site.ts';
import { passkeyAnswer, proofFields, proofOf, sealed } from './presented.ts';

export const secondFactorBody = v.object({ challenge: sealed, ...proofFields });
export const passkeyOptionsBody = v.object({ challenge: v.optional(sealed) });

export interface FactorLoginApiDependencies extends FinishLoginDependencies {
  readonly factorLogin: FactorLogin;
}

/** `/postern/api/login`, which needs no identity: a passkey, or what is asked after the password. */
export function factorLoginRoutes(dependencies: FactorLoginApiDependencies) {
  const { factorLogin, settings, audit, tallies } = dependencies;
  const addressOf = (c: ApiContext) => clientOf(c.env, settings).address;

  /** Answers alike, whatever was wrong. Whose factor it was is told where a password, or the passkey, has said so. */
  const failed = async (c: ApiContext, error: unknown): Promise<never> => {
    const address = addressOf(c);
    if (error instanceof FactorLoginFailed) {
      const { code, reason, username: user } = error;
      tallies.logins.failure += 1;
      await audit.record(
        user === undefined
          ? { event: 'refused', object: c.env.path, reason, address }
          : { event: 'second_factor_failed', user, reason, address },
      );
      throw new AppError(code);
    }
    if (error instanceof AppError && error.code === 'too_many_requests')
      await recordLimitedLogin(dependencies, c, { address });
    throw error;
  };

  const requireOwnPage = async (c: ApiContext, next: Next) => {
    if (settings.mode === 'proxy') throw new AppError('authentication_disabled');
    await requireSameSite(c, dependencies);
    c.header('cache-control', 'no-store');
    await next();
  };

  return new Hono<ApiEnvironment>()
    .post('/second-factor', requireOwnPage, validBody(secondFactorBody), async (c) => {
      const body = c.req.valid('json');
      const proof = proofOf(body);
      if (proof === undefined) throw invalid(['body'], 'Give one of code, recovery_code and passkey');
      const user = await factorLogin
        .finish(body.challenge, proof, addressOf(c))
        .catch((error: unknown) => failed(c, error));
      const { method } = proof;
      if (method === 'recovery_code')
        await audit.record({
          event: 'recovery_code_used',
          user: user.username,
          object: user.username,
          address: addressOf(c),
        });
      const how = { source: 'password', detail: { second_factor: method } };
      return c.json(await finishLogin(dependencies, c, user, how));
    })

    .post('/passkey-options', requireOwnPage, validBody(passkeyOptionsBody), async (c) => {
      const { challenge } = c.req.valid('json');
      return c.json(await factorLogin.passkeyOptions(challenge).catch((error: unknown) => failed(c, error)));
    })

    .post('/passkey', requireOwnPage, validBody(passkeyAnswer), async (c) => {
      const user = await factorLogin
        .byPasskey(c.req.valid('json'), addressOf(c))
        .catch((error: unknown) => failed(c, error));
      return c.json(await finishLogin(dependencies, c, user, { source: 'passkey' }));
    });
}
