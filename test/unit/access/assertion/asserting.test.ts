import { mayEverything } from '../../../../src/policy/capability.ts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose';
import { createHash } from 'node:crypto';
import { asserting } from '../../../../src/access/assertion/asserting.ts';
import { createAssert, type Assert } from '../../../../src/access/assertion/assertion.ts';
import { createAssertionKeys } from '../../../../src/access/assertion/assertion-keys.ts';
import { systemClock } from '../../../../src/clock.ts';
import { AppError } from '../../../../src/errors.ts';
import type { RequestContext } from '../../../../src/policy/request-context.ts';
import type { AuthorizationResult } from '../../../../src/policy/authorization-result.ts';
import type { Allowed, Decision } from '../../../../src/policy/decision.ts';
import { plainIdentity } from '../../../../src/policy/identity.ts';
import { createSealing } from '../../../../src/identity/sealing.ts';
import { assertionCheck, coveredTargets } from '../../../support/assertion-check.ts';
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

async function openKeys() {
  const store = await temporaryStore();
  const fail = (error: unknown) => {
    throw error;
  };
  return createAssertionKeys({
    read: store,
    change: store.change,
    sealing: createSealing('s'.repeat(64), clock),
    clock,
    onFault: fail,
    onMade: () => undefined,
  });
}

const named = { issuer: 'https://cameras.example', audience: 'recorder' };

test('signs who requests what, with a published key, for a minute', async () => {
  const keys = await openKeys();
  const assert = createAssert({ ...named, keys, covers: 'request', clock });
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

describe('an assertion that covers a prefix', () => {
  const claimsOf = async (target: string) => {
    const assert = createAssert({ ...named, keys: await openKeys(), covers: 'prefix', clock });
    return decodeJwt(await assert({ user: 'olaf', role: 'viewer', method: 'GET', target }));
  };

  test.each([
    ['/api/events/1.2-abc/clip.mp4?t=1', '/api/events/'],
    ['/vod/front/start/1/end/2/index.m3u8', '/vod/front/'],
    ['/api/events/', '/api/events/'],
    ['/api/events?camera=/a/b/c', '/api/events'],
    ['/api/config', '/api/config'],
    ['/live', '/live'],
    ['/', '/'],
    ['/api/', '/api/'],
    ['/api/events//1', '/api/events//1'],
    ['//api/events/1', '//api/events/1'],
    ['/api/events/clip%2Emp4?t=1', '/api/events/clip%2Emp4'],
  ])('%s: %s', async (target, prefix) => {
    const claims = await claimsOf(target);
    expect(claims).toMatchObject({ sub: 'olaf', role: 'viewer', htm: 'GET', target_prefix: prefix });
    expect(claims).not.toHaveProperty('target_sha256');
  });

  test('is signed once a second for a user, a role, a method and a prefix, and returned at once after that', async () => {
    const keys = await openKeys();
    let [now, signed] = [clock.now(), 0];
    const signing = () => {
      signed += 1;
      return keys.signing();
    };
    const moving = { now: () => now };
    const assert = createAssert({ ...named, keys: { signing }, covers: 'prefix', clock: moving });
    const asked = { user: 'olaf', role: 'viewer', method: 'GET', target: '/api/front/latest.jpg' };
    const first = await Promise.all([assert(asked), assert(asked)]);
    expect([first[0] === first[1], signed]).toEqual([true, 1]);
    expect(assert({ ...asked, target: '/api/front/latest.webp?h=1' })).toBe(first[0]);
    const others = { user: 'nell', role: 'admin', method: 'PUT', target: '/api/garage/latest.jpg' };
    for (const [key, value] of Object.entries(others))
      expect(decodeJwt(await assert({ ...asked, [key]: value }))).not.toEqual(decodeJwt(first[0]));
    expect(signed).toBe(5);
    now += 1_000;
    expect(decodeJwt(await assert(asked)).iat).toBe(now / 1_000);
  });

  test('a failure is not kept', async () => {
    const keys = await openKeys();
    let isAway = true;
    const signing = () => (isAway ? Promise.reject(new AppError('store_unavailable')) : keys.signing());
    const assert = createAssert({ ...named, keys: { signing }, covers: 'prefix', clock });
    const asked = { user: 'olaf', role: 'viewer', method: 'GET', target: '/api/front/latest.jpg' };
    await expect(assert(asked)).rejects.toThrow(expect.objectContaining({ code: 'store_unavailable' }));
    isAway = false;
    expect(decodeJwt(await assert(asked)).sub).toBe('olaf');
  });

  test.each(coveredTargets)(
    'the check of the guide takes that of %s for no more than its prefix, method and coverage',
    async (allowed, passed, refused) => {
      const keys = await openKeys();
      const assert = createAssert({ ...named, keys, covers: 'prefix', clock: systemClock });
      const assertion = await assert({ user: 'olaf', role: 'viewer', method: 'GET', target: allowed });
      const server = createServer(
        (_, response) => void keys.published().then((set) => response.end(JSON.stringify(set))),
      );
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      const gate = { ...named, keys: `http://127.0.0.1:${port}/` };
      const headers = { 'x-postern-assertion': assertion };
      const check = assertionCheck({ ...gate, covers: 'prefix' });
      const passes = (url: string, method = 'GET', checking = check) =>
        checking({ method, url, headers }).then(
          () => true,
          () => false,
        );
      const targets = [...passed, ...refused];
      const results = await Promise.all(targets.map((url) => passes(url)));
      const byMethod = await passes(allowed, 'DELETE');
      const byRequest = await passes(allowed, 'GET', assertionCheck(gate));
      server.close();
      expect(targets.filter((_, index) => results[index])).toEqual(passed);
      expect([byMethod, byRequest]).toEqual([false, false]);
    },
  );
});
