import { mayEverything } from '../../../../src/policy/capability.ts';
import { expect, test } from 'vitest';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { createHash } from 'node:crypto';
import { asserting } from '../../../../src/access/assertion/asserting.ts';
import { createAssert, type Assert } from '../../../../src/access/assertion/assertion.ts';
import { createAssertionKeys } from '../../../../src/access/assertion/assertion-keys.ts';
import { AppError } from '../../../../src/errors.ts';
import type { RequestContext } from '../../../../src/policy/request-context.ts';
import type { AuthorizationResult } from '../../../../src/policy/authorization-result.ts';
import type { Allowed, Decision } from '../../../../src/policy/decision.ts';
import { plainIdentity } from '../../../../src/policy/identity.ts';
import { createSealing } from '../../../../src/identity/sealing.ts';
import { clockAt } from '../../../support/clock-at.ts';
import { temporaryStore } from '../../store/temporary-store.ts';

const request: RequestContext = {
  entryPoint: 'authenticated',
  method: 'GET',
  uri: '/api/front/latest.jpg?h=1',
  headers: [],
  host: 'gate.local',
  secure: true,
};
const allowed: Allowed = {
  outcome: 'allow',
  reason: 'allowed',
  path: '/api/front/latest.jpg',
  identity: plainIdentity('olaf', 'viewer', 'session'),
  grant: 'all',
  may: mayEverything,
};
const clock = clockAt(Date.UTC(2026, 10, 1));

/** What comes of a decision. */
async function answer(
  decision: Decision,
  changes: Partial<RequestContext> = {},
  assert: Assert = (passedOn) => Promise.resolve(JSON.stringify(passedOn)),
): Promise<AuthorizationResult & { readonly recorded: readonly Decision[] }> {
  const recorded: Decision[] = [];
  const authorize = asserting({
    authorize: () => ({ id: '1', decision, setCookie: 'c=1' }),
    record: (_, refused) => {
      recorded.push(refused);
      return '2';
    },
    assert,
    methodOf: ({ method }) => method,
    logger: { error: () => undefined },
  });
  return { ...(await authorize({ ...request, ...changes })), recorded };
}
const assertedTarget = async (...asked: Parameters<typeof answer>) =>
  (JSON.parse((await answer(...asked)).assertion ?? '{}') as { readonly target?: string }).target;

test('signs who requests what, with a published key, for a minute', async () => {
  const store = await temporaryStore();
  const fail = (error: unknown) => {
    throw error;
  };
  const keys = createAssertionKeys({
    read: store,
    change: store.change,
    sealing: createSealing('s'.repeat(64), clock),
    clock,
    onFault: fail,
    onMade: () => undefined,
  });
  const assert = createAssert({ keys, issuer: 'https://cameras.example', audience: 'recorder', clock });
  const { assertion = '' } = await answer(allowed, { method: 'PUT' }, assert);
  const { payload, protectedHeader } = await jwtVerify(
    assertion,
    createLocalJWKSet((await keys.published()) as unknown as JSONWebKeySet),
    { currentDate: new Date(clock.now()) },
  );
  expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'JWT', kid: (await keys.signing()).keyId });
  expect(payload).toEqual({
    iss: 'https://cameras.example',
    aud: 'recorder',
    sub: 'olaf',
    role: 'viewer',
    iat: clock.now() / 1_000,
    exp: clock.now() / 1_000 + 60,
    htm: 'PUT',
    target_sha256: createHash('sha256').update('/api/front/latest.jpg?h=1').digest('base64url'),
  });
});

test('names the target that is passed on', async () => {
  expect(await assertedTarget(allowed)).toBe('/api/front/latest.jpg?h=1');
  expect(await assertedTarget({ ...allowed, narrowed: '/api/events?cameras=front' })).toBe(
    '/api/events?cameras=front',
  );
  expect(await assertedTarget(allowed, { uri: 'https://gate.local/a?b' })).toBe('/a?b');
});

test.each<[what: string, decision: Decision, changes?: Partial<RequestContext>]>([
  ['what is refused', { outcome: 'forbidden', reason: 'admin_only', identity: allowed.identity }],
  ['what is public', { ...allowed, identity: undefined }],
  ['a visit, which is answered to the client', { ...allowed, path: '/auth' }],
  ['what has no target', allowed, { uri: undefined }],
  ['what has no method', allowed, { method: undefined }],
])('%s has none', async (_, decision, changes) => {
  const never: Assert = () => Promise.reject(new Error('nothing is to be signed'));
  expect(await answer(decision, changes, never)).toMatchObject({ id: '1', decision, recorded: [] });
});

test.each([
  ['store_unavailable', new AppError('store_unavailable')],
  ['failure', new Error('no key')],
] as const)('without a key the request is refused: %s', async (reason, error) => {
  const refused = await answer(allowed, {}, () => Promise.reject(error));
  expect(refused).toMatchObject({ id: '2', decision: { outcome: 'forbidden', reason }, setCookie: 'c=1' });
  expect([refused.assertion, refused.recorded]).toEqual([undefined, [refused.decision]]);
});
