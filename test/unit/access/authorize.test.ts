import type { Reading } from '../../../src/store/permit.ts';
import { clockAt } from '../../support/clock-at.ts';
import type { RequestContext } from '../../../src/policy/request-context.ts';
import { expect, test } from 'vitest';
import type { RoleAccess } from '../../../src/policy/role-access.ts';
import { rolesOf } from '../../support/roles.ts';
import { apiDependencies, authorizationOf, settings, type Changes } from '../api/api-dependencies.ts';

const asFamily = ['Remote-User', 'olaf', 'Remote-Groups', 'family'];
const bearer = ['Authorization', 'Bearer t0ken'];
const request: RequestContext = {
  entryPoint: 'authenticated',
  method: 'GET',
  uri: '/api/front/latest.jpg',
  headers: asFamily,
  host: 'gate.local',
  secure: true,
};

function start(changes: Changes = {}) {
  const { dependencies, log } = apiDependencies({ clock: clockAt(0), ...changes });
  return { ...authorizationOf(dependencies), decisions: dependencies.decisions, log };
}

test.each<[what: string, asked: Partial<RequestContext>, kind: string, reason: string, changes?: Changes]>([
  ['a granted camera', {}, 'allow', 'allowed'],
  ['another camera', { uri: '/api/garage/latest.jpg' }, 'forbidden', 'camera_not_granted'],
  ['no one', { headers: [] }, 'unauthenticated', 'user_missing'],
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
    { entryPoint: 'internal', headers: [], method: 'PUT', uri: '/api/config' },
    'allow',
    'allowed',
    { proxySecret: 's3cret' },
  ],
  ['internal, a bad URI', { entryPoint: 'internal', uri: '/a/../b' }, 'forbidden', 'uri_dot_segment'],
  ['no session', {}, 'unauthenticated', 'no_session', { mode: 'session' }],
])('%s: %j %s %s', async (_, asked, kind, reason, changes) => {
  expect(await start(changes).authorize({ ...request, ...asked })).toMatchObject({
    decision: { outcome: kind, reason },
  });
});

test('identifies no one on the internal entry point', async () => {
  for (const changes of [{ proxyIdentity: undefined as never }, { mode: 'session' }] as const) {
    const { authorize } = start(changes);
    const headers = [...asFamily, ...bearer];
    expect(await authorize({ ...request, entryPoint: 'internal', headers })).toMatchObject({
      decision: {
        outcome: 'allow',
        identity: { user: 'anonymous', role: 'admin', source: 'internal' },
        grant: 'all',
      },
    });
  }
});

test('a change is decided by what its transaction reads, and counted nowhere', async () => {
  const on = {} as Reading;
  const asked: unknown[] = [];
  const { dependencies, log } = apiDependencies();
  const changes = { ...dependencies, mode: 'session' as const };
  const check = async (_token: string, reading: unknown) => {
    asked.push(reading);
    return { problem: 'token_revoked' as const };
  };
  const { evaluateIn } = authorizationOf({
    ...changes,
    settings: { ...settings, mode: 'session' },
    sessions: { ...dependencies.sessions, check },
  });
  expect(await evaluateIn({ ...request, headers: bearer }, on)).toMatchObject({
    decision: { outcome: 'unauthenticated', reason: 'token_revoked' },
  });
  expect(asked).toEqual([on]);
  expect(log).toEqual([]);
});

const fault = () => {
  throw new Error('broken');
};
const brokenRoles = Object.assign(new Map<string, RoleAccess>(), { get: fault });
const { rules, proxyIdentity } = settings;
const brokenHeaders = Object.assign(new Set<string>(), { has: fault, [Symbol.iterator]: fault });
const sessions = apiDependencies().dependencies.sessions;

test.each<[what: string, changes: Changes]>([
  ['identification throws', { proxyIdentity: { ...proxyIdentity, trustedHeaders: brokenHeaders } }],
  ['identification rejects', { mode: 'session', sessions: { ...sessions, check: async () => fault() } }],
  [
    'authentication returns nothing',
    { mode: 'session', sessions: { ...sessions, check: async () => undefined as never } },
  ],
  ['the target table throws', { rules: { ...rules, resolveResource: fault } }],
  ['the roles throw', { rules: { ...rules, roles: brokenRoles } }],
])('refuses after an error: %s', async (_, changes) => {
  const { authorize, log } = start(changes);
  expect(await authorize({ ...request, headers: [...asFamily, ...bearer] })).toEqual({
    id: expect.stringMatching(/./) as string,
    decision: { outcome: 'forbidden', reason: 'failure', identity: undefined },
    session: undefined,
    setCookie: undefined,
    error: expect.any(Error) as Error,
  });
  expect(log).toMatchObject([
    { level: 'error', err: { message: expect.any(String) as string } },
    { level: 'info', verdict: 'forbidden', reason: 'failure' },
  ]);
});

test('logs identity, target, decision and reason', async () => {
  const { authorize, log } = start();
  await authorize(request);
  await authorize({ ...request, method: 'PUT' });
  const line = {
    user: 'olaf',
    role: 'family',
    source: 'proxy',
    entry_point: 'authenticated',
    path: request.uri,
  };
  expect(log).toMatchObject([
    { ...line, level: 'debug', verdict: 'allow', reason: 'allowed', method: 'GET' },
    { ...line, level: 'info', verdict: 'forbidden', reason: 'read_only', method: 'PUT' },
  ]);
});

test('logs what the role may not do, of what the request needs', async () => {
  const roles = rolesOf([['family', ['front']]], { family: { may: ['live'] } });
  const { authorize, log } = start({ rules: { ...rules, roles } });
  await authorize({ ...request, uri: '/api/front/recordings' });
  await authorize({ ...request, uri: '/api/garage/recordings' });
  expect(log).toMatchObject([
    { reason: 'role_may_not', missing: 'history' },
    { reason: 'camera_not_granted' },
  ]);
  expect(log[1]).not.toHaveProperty('missing');
});

test('logs no query, no secrets and no endless paths', async () => {
  const { authorize, log } = start({ proxySecret: 's3cret' });
  const headers = ['X-Proxy-Secret', 'gue55ed', 'Authorization', 'Bearer t0ken', 'Cookie', 'session=t0ken'];
  await authorize({ ...request, headers, uri: `/${'x'.repeat(5_000)}?token=t0ken` });
  const text = JSON.stringify(log);
  expect(text).not.toMatch(/t0ken|s3cret|gue55ed/);
  expect(text.length).toBeLessThan(1_000);
});

test('warns once if a front sends no X-Original-URL', async () => {
  const { authorize, log } = start();
  const warnings = () => log.filter(({ level }) => level === 'warn').map(({ msg }) => msg);
  const viewer = { ...request, uri: undefined, headers: ['Remote-User', 'vera', 'Remote-Groups', 'viewer'] };
  expect(await authorize(viewer)).toMatchObject({ decision: { outcome: 'allow' } });
  expect(warnings()).toEqual([]);
  for (let i = 0; i < 3; i += 1) {
    expect(await authorize({ ...request, uri: undefined })).toMatchObject({
      decision: { reason: 'uri_missing' },
    });
  }
  expect(warnings()).toEqual([expect.stringContaining('X-Original-URL')]);
  expect(warnings()).toEqual([expect.stringContaining('X-Original-Method')]);
});

test.each(['viewer', 'family'])('what cannot be recorded is not shown to %s, by any road', async (role) => {
  const events = { camerasOfEvents: (ids: readonly string[]) => new Map(ids.map((id) => [id, 'front'])) };
  const recorded = { ...settings.rules.recorded, ...events };
  const { dependencies } = apiDependencies({
    clock: clockAt(0),
    rules: { ...settings.rules, recorded, resolveAsRecorder: settings.rules.resolveResource },
  });
  const { authorize } = authorizationOf({
    ...dependencies,
    viewing: { ...dependencies.viewing, note: () => false },
  });
  const headers = ['Remote-User', 'vera', 'Remote-Groups', role];
  const decide = async (uri: string) => (await authorize({ ...request, uri, headers })).decision.reason;
  expect(await decide('/vod/event/1.f/seg-1-v1.ts')).toBe('audit_unavailable');
  expect(await decide('/api/events/1.f/clip.mp4')).toBe('audit_unavailable');
  expect(await decide('/api/front/person/clip.mp4')).toBe('audit_unavailable');
  expect(await decide('/api/events/1.f')).toBe('allowed');
});
