import * as v from 'valibot';
import type { Login } from '../../accounts/users/login.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { wholeSeconds } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { clientOf } from '../../http/fronts/client.ts';
import type { Passkeys } from '../../accounts/second-factor/passkeys.ts';
import { ProofRefused, type Proof } from '../../accounts/second-factor/proofs.ts';
import type { StepUp } from '../../accounts/second-factor/step-up.ts';
import type { Sessions } from '../../accounts/sessions/sessions.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { invalid } from '../../http/validation.ts';
import { type SessionCookieHeader, actorOf } from '../request.ts';
import { endpoint } from '../endpoint.ts';
import type { ApiContext } from '../environment.ts';
import { proofLifetime } from '../require-step-up.ts';
import { ceremony, notPossible, proofFields, proofOf, seconds, tooMany } from './schemas.ts';
import { localSession, ownFactor } from './own-factors.ts';

const stepUpBody = v.object({
  password: v.optional(v.string('Input should be text')),
  ...proofFields,
});

export interface StepUpApiDependencies {
  readonly settings: Settings;
  readonly stepUp: StepUp;
  readonly passkeys: Pick<Passkeys, 'requirePossible'>;
  readonly login: Login;
  readonly sessions: Pick<Sessions, 'renew'>;
  readonly cookieHeader: SessionCookieHeader;
  readonly audit: Pick<AuditLog, 'record'>;
}

export const beginStepUp = endpoint({
  method: 'post',
  path: '/postern/api/step-up/passkey-options',
  ...ownFactor,
  tag: 'Sign-in methods',
  summary: 'Begin to prove your identity again, with a passkey',
  answers: { 200: { meaning: 'What the browser has to sign.', body: ceremony }, 409: notPossible },
  handle:
    ({ settings, stepUp, passkeys }: StepUpApiDependencies) =>
    async (c) => {
      const { user, claims } = localSession(c, settings);
      passkeys.requirePossible();
      return stepUp.passkeyOptions({ username: user.username, sessionId: claims.sessionId });
    },
});

export const proveAgain = endpoint({
  method: 'post',
  path: '/postern/api/step-up',
  ...ownFactor,
  tag: 'Sign-in methods',
  summary: 'Prove your identity again',
  description:
    'The body has one of `code`, `recovery_code` and `passkey`; for a user without a second factor, `password`. The proof counts for ten minutes.',
  body: stepUpBody,
  bodyExample: { code: '123456' },
  answers: {
    200: {
      meaning: 'Proved; `Set-Cookie` has a new token of the same session.',
      body: v.strictObject({ proved_until: seconds }),
    },
    403: { meaning: '`step_up_failed` or `challenge_expired`.' },
    429: tooMany,
  },
  handle: (dependencies: StepUpApiDependencies) => {
    const { settings, stepUp, login, sessions, cookieHeader, audit } = dependencies;
    return async (c) => {
      const session = localSession(c, settings);
      const { username, hasSecondFactor } = session.user;
      const { address } = clientOf(c.env, settings);
      const body = c.req.valid('json');
      const given = hasSecondFactor ? proofOf(body) : body.password;
      if (given === undefined || (hasSecondFactor && body.password !== undefined))
        throw invalid(['body'], hasSecondFactor ? 'Give one second factor' : 'Give the password');
      const method = typeof given === 'string' ? 'password' : given.method;
      const who = { username, sessionId: session.claims.sessionId };
      const prove = async (proof: string | Proof) =>
        typeof proof === 'string'
          ? void (await login.verify(username, proof, address))
          : stepUp.prove(who, proof, address, c.var.permit);
      await prove(given).catch((error: unknown) => failed(dependencies, c, method, error));
      if (method === 'recovery_code')
        await audit.record({ event: 'recovery_code_used', ...actorOf(c, settings), object: username });
      const issued = await sessions.renew(session);
      cookieHeader.set(c, issued);
      await audit.record({
        event: 'stepped_up',
        ...actorOf(c, settings),
        object: username,
        detail: { method },
      });
      return { proved_until: wholeSeconds(issued.claims.issuedAt + proofLifetime) };
    };
  },
});

/** Records a failed proof, and answers in a way that ends no session. */
async function failed(
  { settings, audit }: StepUpApiDependencies,
  c: ApiContext,
  method: string,
  error: unknown,
): Promise<never> {
  const isWrong =
    error instanceof ProofRefused || (error instanceof AppError && error.code === 'login_failed');
  const isLimited = error instanceof AppError && error.code === 'too_many_requests';
  if (!isWrong && !isLimited) throw error;
  const object = c.var.session?.user.username;
  const wrong = error instanceof ProofRefused ? error.fault : 'wrong_password';
  const event = isWrong ? 'step_up_failed' : 'step_up_limited';
  const reason = isWrong ? wrong : 'too_many_requests';
  await audit.record({ event, ...actorOf(c, settings), object, reason, detail: { method } });
  c.set('isRecorded', true);
  if (!isWrong) throw error;
  throw new AppError(wrong === 'challenge_expired' ? wrong : 'step_up_failed');
}
