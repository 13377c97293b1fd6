import * as v from 'valibot';
import { AppError } from '../../errors.ts';
import { clientOf } from '../../http/fronts/client.ts';
import { FactorLoginFailed, type FactorLogin } from '../../accounts/second-factor/login.ts';
import { invalid } from '../../http/validation.ts';
import { endpoint } from '../endpoint.ts';
import { type FinishLoginDependencies, finishLogin, recordLimitedLogin } from '../login/end-login.ts';
import type { ApiContext } from '../environment.ts';
import { requireSameSite } from '../request.ts';
import {
  ceremony,
  expired,
  loggedIn,
  notPossible,
  passkeyAnswer,
  proofFields,
  proofOf,
  sealed,
  tooMany,
} from './schemas.ts';

const secondFactorBody = v.object({ challenge: sealed, ...proofFields });
const passkeyOptionsBody = v.object({ challenge: v.optional(sealed) });

export interface FactorLoginApiDependencies {
  /** Begins the session once the user is known. */
  readonly finishing: FinishLoginDependencies;
  readonly factorLogin: FactorLogin;
}

export const logInWithSecondFactor = endpoint({
  method: 'post',
  path: '/postern/api/login/second-factor',
  level: 'public',
  tag: 'Sign-in',
  summary: 'Finish signing in, with a second factor',
  description:
    'The body has the `challenge` of `POST /api/login`, and one of `code`, `recovery_code` and `passkey`. The challenge is valid for five minutes, for one login, and until the password changes.',
  body: secondFactorBody,
  bodyExample: { challenge: 'eyJhbGciOiJkaXIi…', code: '123 456' },
  answers: {
    200: loggedIn,
    401: { meaning: 'The second factor is wrong.' },
    403: expired,
    404: { meaning: '`auth.enabled` is `false`: an upstream proxy signs users in.' },
    429: { meaning: 'Too many failures from this address, or too many wrong codes for this user.' },
  },
  before: requireOwnPage,
  handle: (dependencies: FactorLoginApiDependencies) => {
    const { factorLogin, finishing } = dependencies;
    return async (c) => {
      const body = c.req.valid('json');
      const { address } = clientOf(c.env, dependencies.finishing.settings);
      const proof = proofOf(body);
      if (proof === undefined) throw invalid(['body'], 'Give one of code, recovery_code and passkey');
      const user = await factorLogin
        .finish(body.challenge, proof, address)
        .catch((error: unknown) => failed(dependencies, c, error));
      const { method } = proof;
      if (method === 'recovery_code')
        await finishing.audit.record({
          event: 'recovery_code_used',
          user: user.username,
          object: user.username,
          address,
        });
      const how = { source: 'password', detail: { second_factor: method } };
      return finishLogin(finishing, c, user, how);
    };
  },
});

export const beginPasskeyLogin = endpoint({
  method: 'post',
  path: '/postern/api/login/passkey-options',
  level: 'public',
  tag: 'Sign-in',
  summary: 'Begin to sign in with a passkey',
  description:
    'With the `challenge` of `POST /api/login` the passkey is the second factor of that login; without one it is the whole login.',
  body: passkeyOptionsBody,
  bodyExample: {},
  answers: {
    200: { meaning: 'What the browser has to sign.', body: ceremony },
    403: expired,
    409: notPossible,
  },
  before: requireOwnPage,
  handle: (dependencies: FactorLoginApiDependencies) => async (c) => {
    const { challenge } = c.req.valid('json');
    return dependencies.factorLogin
      .passkeyOptions(challenge)
      .catch((error: unknown) => failed(dependencies, c, error));
  },
});

export const logInWithPasskey = endpoint({
  method: 'post',
  path: '/postern/api/login/passkey',
  level: 'public',
  tag: 'Sign-in',
  summary: 'Sign in with a passkey',
  description: 'The passkey has verified its user: neither a password nor a second factor is needed.',
  body: passkeyAnswer,
  answers: {
    200: loggedIn,
    401: { meaning: 'The passkey is unknown, or its signature is wrong.' },
    403: expired,
    429: tooMany,
  },
  before: requireOwnPage,
  handle: (dependencies: FactorLoginApiDependencies) => async (c) => {
    const { address } = clientOf(c.env, dependencies.finishing.settings);
    const user = await dependencies.factorLogin
      .byPasskey(c.req.valid('json'), address)
      .catch((error: unknown) => failed(dependencies, c, error));
    return finishLogin(dependencies.finishing, c, user, { source: 'passkey' });
  },
});

/** Every failure gets the same answer. The record names a user only if the password, or the passkey, was right. */
async function failed(
  { finishing }: FactorLoginApiDependencies,
  c: ApiContext,
  error: unknown,
): Promise<never> {
  const { settings, audit, tallies } = finishing;
  const { address } = clientOf(c.env, settings);
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
    await recordLimitedLogin(finishing, c, { address });
  throw error;
}

function requireOwnPage({ finishing }: FactorLoginApiDependencies) {
  return async (c: ApiContext) => {
    if (finishing.settings.mode === 'proxy') throw new AppError('authentication_disabled');
    await requireSameSite(c, finishing);
    c.header('cache-control', 'no-store');
  };
}
