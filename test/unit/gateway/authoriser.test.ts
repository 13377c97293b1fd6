import { expect, test } from 'vitest';
import { createAuthoriser } from '../../../src/gateway/authoriser.ts';
import { createDecisionLog } from '../../../src/gateway/decision-log.ts';
import type { AccessRequest } from '../../../src/policy/verdict.ts';
import { gatewayDependencies, inForce, type Changes } from './gateway-dependencies.ts';

const asFamily = ['Remote-User', 'olaf', 'Remote-Groups', 'family'];
const bearer = ['Authorization', 'Bearer t0ken'];
const request: AccessRequest = {
  edge: 'authenticated',
  method: 'GET',
  uri: '/api/front/latest.jpg',
  headers: asFamily,
  host: 'gate.local',
  secure: true,
};

function start(changes: Changes = {}) {
  const { dependencies, log } = gatewayDependencies({ now: () => 0, ...changes });
  const decisions = createDecisionLog();
  return { ...createAuthoriser(dependencies, decisions), decisions, log };
}

test.each<[what: string, asked: Partial<AccessRequest>, kind: string, reason: string, changes?: Changes]>([
  ['a granted camera', {}, 'allow', 'allowed'],
  ['another camera', { uri: '/api/garage/latest.jpg' }, 'forbidden', 'camera_not_granted'],
  ['nobody', { headers: [] }, 'unauthenticated', 'user_missing'],
  ['no secret', {}, 'unauthenticated', 'proxy_secret_missing', { proxySecret: 's3cret' }],
  [
    'the secret',
    { headers: [...asFamily, 'X-Proxy-Secret', 's3cret'] },
    'allow',
    'allowed',
    { proxySecret: 's3cret' },
  ],
  [
    'internal',
    { edge: 'internal', headers: [], method: 'PUT', uri: '/api/config' },
    'allow',
    'allowed',
    { proxySecret: 's3cret' },
  ],
  ['internal, a bad URI', { edge: 'internal', uri: '/a/../b' }, 'forbidden', 'uri_dot_segment'],
  ['no session', {}, 'unauthenticated', 'no_session', { mode: 'session' }],
])('%s: %j %s %s', async (_, asked, kind, reason, changes) => {
  expect(await start(changes).authorise({ ...request, ...asked })).toMatchObject({
    verdict: { kind, reason },
  });
});

test('on the internal edge nobody is identified', async () => {
  for (const changes of [{ proxyIdentity: undefined as never }, { mode: 'session' }] as const) {
    const { authorise } = start(changes);
    const headers = [...asFamily, ...bearer];
    expect(await authorise({ ...request, edge: 'internal', headers })).toMatchObject({
      verdict: {
        kind: 'allow',
        subject: { user: 'anonymous', role: 'admin', source: 'internal' },
        grant: 'all',
      },
    });
  }
});

const fault = () => {
  throw new Error('broken');
};
const brokenRoles = Object.assign(new Map<string, ReadonlySet<string>>(), { get: fault });
const { rules, proxyIdentity } = inForce;
const brokenHeaders = Object.assign(new Set<string>(), { has: fault, [Symbol.iterator]: fault });
const sessions = gatewayDependencies().dependencies.sessions;

test.each<[what: string, changes: Changes]>([
  ['the configuration throws', { inForce: fault }],
  ['identification throws', { proxyIdentity: { ...proxyIdentity, trustedHeaders: brokenHeaders } }],
  ['identification rejects', { mode: 'session', sessions: { ...sessions, check: async () => fault() } }],
  [
    'identification gives nothing',
    { mode: 'session', sessions: { ...sessions, check: async () => undefined as never } },
  ],
  ['the target table throws', { rules: { ...rules, resolveTarget: fault } }],
  ['the roles throw', { rules: { ...rules, customRoles: brokenRoles } }],
])('a fault is a refusal: %s', async (_, changes) => {
  const { authorise, log } = start(changes);
  expect(await authorise({ ...request, headers: [...asFamily, ...bearer] })).toEqual({
    id: expect.stringMatching(/./) as string,
    verdict: { kind: 'forbidden', reason: 'failure', subject: undefined },
  });
  expect(log).toMatchObject([
    { level: 'error', err: { message: expect.any(String) as string } },
    { level: 'info', verdict: 'forbidden', reason: 'failure' },
  ]);
});

test('the log says who asked for what and why it came out so', async () => {
  const { authorise, log } = start();
  await authorise(request);
  await authorise({ ...request, method: 'PUT' });
  const line = { user: 'olaf', role: 'family', source: 'proxy', edge: 'authenticated', path: request.uri };
  expect(log).toMatchObject([
    { ...line, level: 'debug', verdict: 'allow', reason: 'allowed', method: 'GET' },
    { ...line, level: 'info', verdict: 'forbidden', reason: 'read_only', method: 'PUT' },
  ]);
});

test('the log has neither the query nor secrets nor endless paths', async () => {
  const { authorise, log } = start({ proxySecret: 's3cret' });
  const headers = ['X-Proxy-Secret', 'gue55ed', 'Authorization', 'Bearer t0ken', 'Cookie', 'session=t0ken'];
  await authorise({ ...request, headers, uri: `/${'x'.repeat(5_000)}?token=t0ken` });
  const text = JSON.stringify(log);
  expect(text).not.toMatch(/t0ken|s3cret|gue55ed/);
  expect(text.length).toBeLessThan(1_000);
});

test('a front that sends no X-Original-URL is told once what to send', async () => {
  const { authorise, log } = start();
  const warnings = () => log.filter(({ level }) => level === 'warn').map(({ msg }) => msg);
  const viewer = { ...request, uri: undefined, headers: ['Remote-User', 'vera', 'Remote-Groups', 'viewer'] };
  expect(await authorise(viewer)).toMatchObject({ verdict: { kind: 'allow' } });
  expect(warnings()).toEqual([]);
  for (let i = 0; i < 3; i += 1) {
    expect(await authorise({ ...request, uri: undefined })).toMatchObject({
      verdict: { reason: 'uri_missing' },
    });
  }
  expect(warnings()).toEqual([expect.stringContaining('X-Original-URL')]);
  expect(warnings()).toEqual([expect.stringContaining('X-Original-Method')]);
});
