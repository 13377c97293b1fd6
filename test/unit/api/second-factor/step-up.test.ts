import { expect, test } from 'vitest';
import { ProofRefused } from '../../../../src/accounts/second-factor/proofs.ts';
import type { Session } from '../../../../src/accounts/sessions/session-token.ts';
import { beginStepUp, proveAgain } from '../../../../src/api/second-factor/step-up.ts';
import { AppError } from '../../../../src/errors.ts';
import { askEndpoint } from '../ask-endpoint.ts';

interface Facts {
  readonly hasSecondFactor?: boolean;
  readonly issuer?: string;
  readonly isWithout?: boolean;
  /** Why the proof is refused. */
  readonly error?: Error;
}

const sessionId = 'sid';

/** Olaf proves his identity again. */
async function prove(body: object, { hasSecondFactor = false, issuer, isWithout, error }: Facts = {}) {
  const done: unknown[] = [];
  const proving = async (proof: unknown) => {
    done.push(proof);
    if (error !== undefined) throw error;
  };
  const session = {
    user: { username: 'olaf', role: 'viewer', hasSecondFactor, issuer },
    claims: { sessionId },
  } as unknown as Session;
  const { ask, recorded } = askEndpoint({
    endpoint: proveAgain,
    session: isWithout ? undefined : session,
    services: {
      login: { verify: async (user: string, password: string) => proving([user, password]) },
      stepUp: { prove: async (who: object, proof: object) => proving([who, proof]) },
      sessions: {
        renew: async (renewed: Session) => {
          done.push(`renewed ${renewed.claims.sessionId}`);
          return { claims: { issuedAt: 1_000_000 } };
        },
      },
      cookieHeader: { set: () => void done.push('cookie') },
    },
  });
  const { status, body: text } = await ask('/postern/api/step-up', body);
  const { code, proved_until: until } = JSON.parse(text) as { code?: string; proved_until?: number };
  return { status, code, until, done, recorded };
}

const factor = { hasSecondFactor: true };
const who = { username: 'olaf', sessionId };
const passkey = {
  state: 's',
  response: { id: 'p', rawId: 'p', type: 'public-key', response: { clientDataJSON: '{}' } },
};

test.each<[body: object, facts: Facts, proof: unknown, method: string, also: readonly string[]]>([
  [{ password: 'p' }, {}, ['olaf', 'p'], 'password', []],
  [{ code: ' 123456 ' }, factor, [who, { method: 'one_time_code', code: '123456' }], 'one_time_code', []],
  [
    { recovery_code: 'a-b' },
    factor,
    [who, { method: 'recovery_code', code: 'a-b' }],
    'recovery_code',
    ['recovery_code_used'],
  ],
  [{ passkey }, factor, [who, { method: 'passkey', passkey }], 'passkey', []],
])('%j proves for ten minutes, and renews the session', async (body, facts, proof, method, also) => {
  const { status, until, done, recorded } = await prove(body, facts);
  expect([status, until]).toEqual([200, 1_600]);
  expect(done).toEqual([proof, `renewed ${sessionId}`, 'cookie']);
  expect(recorded.map(({ event }) => event)).toEqual([...also, 'stepped_up']);
  expect(recorded.at(-1)).toMatchObject({ user: 'olaf', object: 'olaf', detail: { method } });
});

test.each<[what: string, body: object, facts: Facts, status: number]>([
  ['nothing', {}, {}, 422],
  ['a code of a user without a second factor', { code: '123456' }, {}, 422],
  ['the password of a user with one', { password: 'p' }, factor, 422],
  ['both', { password: 'p', code: '123456' }, factor, 422],
  ['two factors', { code: '123456', recovery_code: 'a' }, factor, 422],
  ['a user of a provider', { password: 'p' }, { issuer: 'https://id.example' }, 409],
  ['no session', { password: 'p' }, { isWithout: true }, 403],
])('%s proves nothing, and is not tried', async (_, body, facts, status) => {
  const found = await prove(body, facts);
  expect([found.status, found.done, found.recorded]).toEqual([status, [], []]);
});

const limited = new AppError('too_many_requests', { retryAfterSeconds: 60 });

test.each<[what: string, error: Error, code: string, event: string | undefined, reason?: string]>([
  ['a wrong password', new AppError('login_failed'), 'step_up_failed', 'step_up_failed', 'wrong_password'],
  [
    'a wrong code',
    new ProofRefused('one_time_code_wrong'),
    'step_up_failed',
    'step_up_failed',
    'one_time_code_wrong',
  ],
  [
    'a challenge that is over',
    new ProofRefused('challenge_expired'),
    'challenge_expired',
    'step_up_failed',
    'challenge_expired',
  ],
  ['too many attempts', limited, 'too_many_requests', 'step_up_limited', 'too_many_requests'],
  ['a store that is away', new AppError('store_unavailable'), 'store_unavailable', undefined],
])('%s ends no session, and is in the audit', async (_, error, code, event, reason) => {
  const found = await prove({ password: 'p' }, { error });
  expect([found.code, found.done]).toEqual([code, [['olaf', 'p']]]);
  const entry = { event, object: 'olaf', reason, detail: { method: 'password' } };
  expect(found.recorded).toMatchObject(event === undefined ? [] : [entry]);
  expect(found.recorded).toHaveLength(event === undefined ? 0 : 1);
});

test('a challenge is for one session, where passkeys are possible', async () => {
  const begun: object[] = [];
  const begin = (requirePossible: () => void) =>
    askEndpoint({
      endpoint: beginStepUp,
      services: {
        passkeys: { requirePossible },
        stepUp: {
          passkeyOptions: async (whose: object) => {
            begun.push(whose);
            return { options: { challenge: 'c' }, state: 's' };
          },
        },
      },
    }).ask('/postern/api/step-up/passkey-options');
  const impossible = () => {
    throw new AppError('passkeys_impossible');
  };
  expect((await begin(impossible)).status).toBe(409);
  expect(begun).toEqual([]);
  expect((await begin(() => undefined)).status).toBe(200);
  expect(begun).toMatchObject([{ username: 'olaf' }]);
});
