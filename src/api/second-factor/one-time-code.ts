import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { AppError } from '../../errors.ts';
import type { Sealing } from '../../accounts/sealing.ts';
import { newCodeSecret, setupUrl, stepOfCode } from '../../accounts/second-factor/codes.ts';
import type { Session } from '../../accounts/sessions/session-token.ts';
import { invalid } from '../../http/validation.ts';
import { endpoint } from '../endpoint.ts';
import { stepUpNeeded } from '../require-step-up.ts';
import { ownAccount, ownFactor, type OwnFactorsDependencies } from './own-factors.ts';
import { sealed, typed } from './schemas.ts';

const newOneTimeCode = v.object({ state: sealed, code: typed });
const recoveryCodes = v.strictObject({
  recovery_codes: v.pipe(
    v.array(v.string()),
    v.description('Each is valid once, instead of another factor. Only this answer has them.'),
  ),
});
/** Seconds, to install an app and scan the code. */
const setupLifetime = 900;

export const beginOneTimeCode = endpoint({
  method: 'post',
  path: '/postern/api/one-time-code/setup',
  ...ownFactor,
  tag: 'Sign-in methods',
  summary: 'Begin to set up one-time codes',
  description: 'Nothing is stored until you send a valid code. SHA-1, 6 digits, 30 seconds (RFC 6238).',
  answers: {
    200: {
      meaning: 'What the app needs.',
      body: v.strictObject({
        secret: v.pipe(v.string(), v.description('Base32.')),
        url: v.pipe(v.string(), v.description('`otpauth:`, for a QR code.')),
        state: v.pipe(v.string(), v.description('Send it back with a code, within 15 minutes.')),
      }),
    },
    403: stepUpNeeded,
  },
  handle: (dependencies: OwnFactorsDependencies) => {
    const { sealing } = dependencies;
    const { sessionToChange } = ownAccount(dependencies);
    return async (c) => {
      const { user, claims } = await sessionToChange(c);
      const { username } = user;
      const secret = await newCodeSecret();
      const setup = { id: randomUUID(), secret, username, about: claims.sessionId };
      const state = await sealing.issue('one_time_code_setup', setup, setupLifetime);
      return { secret, url: await setupUrl(secret, username), state };
    };
  },
});

export const addOneTimeCode = endpoint({
  method: 'post',
  path: '/postern/api/one-time-code',
  ...ownFactor,
  tag: 'Sign-in methods',
  summary: 'Set up one-time codes',
  description:
    'They replace existing ones. The first second factor of a user ends the other sessions; the answer has a new cookie for your own.',
  body: newOneTimeCode,
  bodyExample: { state: 'eyJhbGciOiJkaXIi…', code: '123456' },
  answers: {
    201: { meaning: 'Set up, with ten new recovery codes.', body: recoveryCodes },
    403: { meaning: '`challenge_expired`, or `step_up_needed`.' },
  },
  handle: (dependencies: OwnFactorsDependencies) => {
    const { factors, sealing, clock } = dependencies;
    const { sessionToChange, record, goOn } = ownAccount(dependencies);
    return async (c) => {
      const session = await sessionToChange(c);
      const { state, code } = c.req.valid('json');
      const { id, secret } = await readSetup(sealing, state, session);
      const step = await stepOfCode(code, secret, clock.now());
      if (step === undefined)
        throw invalid(['body', 'code'], 'The code is wrong, or the clock of the app is');
      const expiresAt = clock.now() + setupLifetime * 1_000;
      const once = { purpose: 'one_time_code_setup', key: id, expiresAt };
      const { username } = session.user;
      const kept = await sealing.seal('one_time_code', secret, username);
      const { recoveryCodes, began } = await factors.setOneTimeCode(
        username,
        { sealedSecret: kept, step },
        once,
        c.var.permit,
      );
      await goOn(c, session, began);
      await record(c, 'one_time_code_added');
      return { recovery_codes: recoveryCodes };
    };
  },
});

export const removeOneTimeCode = endpoint({
  method: 'delete',
  path: '/postern/api/one-time-code',
  ...ownFactor,
  tag: 'Sign-in methods',
  summary: 'Remove the one-time codes',
  answers: {
    204: { meaning: 'Removed. Recovery codes are removed with the last factor.' },
    403: stepUpNeeded,
    404: { meaning: 'They are not set up.' },
  },
  handle: (dependencies: OwnFactorsDependencies) => {
    const { factors } = dependencies;
    const { sessionToChange, record } = ownAccount(dependencies);
    return async (c) => {
      const { user } = await sessionToChange(c);
      await factors.removeOneTimeCode(user.username, c.var.permit);
      await record(c, 'one_time_code_removed');
    };
  },
});

export const makeRecoveryCodes = endpoint({
  method: 'post',
  path: '/postern/api/recovery-codes',
  ...ownFactor,
  tag: 'Sign-in methods',
  summary: 'Make new recovery codes',
  answers: {
    201: { meaning: 'Made; earlier ones are no longer valid.', body: recoveryCodes },
    403: stepUpNeeded,
    409: { meaning: 'You have no second factor that they could replace.' },
  },
  handle: (dependencies: OwnFactorsDependencies) => {
    const { factors } = dependencies;
    const { sessionToChange, record } = ownAccount(dependencies);
    return async (c) => {
      const { user } = await sessionToChange(c);
      const recoveryCodes = await factors.makeRecoveryCodes(user.username, c.var.permit);
      await record(c, 'recovery_codes_made');
      return { recovery_codes: recoveryCodes };
    };
  },
});

async function readSetup(sealing: Sealing, state: string, { user, claims }: Session) {
  const { id, secret, username, about } = (await sealing.read('one_time_code_setup', state)) ?? {};
  const isOwn = username === user.username && about === claims.sessionId;
  if (!isOwn || typeof id !== 'string' || typeof secret !== 'string') throw new AppError('challenge_expired');
  return { id, secret };
}
