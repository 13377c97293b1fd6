import { rolesOf } from '../../../support/roles.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import type { RequestContext } from '../../../../src/policy/request-context.ts';
import { createSealing } from '../../../../src/accounts/sealing.ts';
import type { Settings } from '../../../../src/access/settings/settings.ts';
import { createShareCookie, isMediaTarget, shareLink } from '../../../../src/features/shares/strategy.ts';
import { evaluate } from '../../../../src/policy/evaluate/evaluate.ts';
import { showMedia } from '../../../../src/features/shares/media.ts';
import { createShares, type Share, type Shares } from '../../../../src/features/shares/shares.ts';
import type { ConfiguredAccess } from '../../../../src/policy/role-access.ts';
import type { Store } from '../../../../src/store/store.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import { temporaryStore } from '../../store/temporary-store.ts';
import { settings } from '../../api/api-dependencies.ts';

const hour = 3_600_000;
let now: number;
let users: Users;
let shares: Shares;
let current: Settings;
let store: Store;
let event: { camera: string; startTime: number; endTime: number; hasClip: boolean } | undefined;
const clock = { now: () => now };
const cookie = createShareCookie(createSealing('a secret', clock), clock);
const sharing: ConfiguredAccess = { may: ['live', 'history', 'export', 'share'] };
const familyWith = (access: ConfiguredAccess, cameras = ['front']): Settings['rules'] => ({
  ...rules,
  roles: rolesOf([['family', cameras]], { family: access }),
});
const rules: Settings['rules'] = {
  ...settings.rules,
  roles: rolesOf([['family', ['front']]], { family: sharing }),
  recorded: { ...settings.rules.recorded, camerasOfEvents: (ids) => new Map(ids.map((id) => [id, 'front'])) },
};
beforeEach(async () => {
  now = 1_793_000_000_000;
  store = await temporaryStore();
  users = createUsers(store, clock);
  shares = createShares(store, clock);
  current = { ...settings, rules, mode: 'session' };
  event = { camera: 'front', startTime: now, endTime: now, hasClip: true };
  await users.add({ username: 'olaf', role: 'family', passwordHash: 'h' }, unconditional);
});

const dependencies = (isEnabled = true) => ({
  shares,
  shareCookie: cookie,
  recordedThings: { eventById: () => event, exportById: () => undefined },
  currentSettings: async () => current,
  isEnabled,
  users,
  apiTokens: { find: async () => undefined },
  clock,
});

const creator = { user: 'olaf', role: 'family', source: 'session', tokenId: undefined } as const;
async function share(change: Partial<Share> = {}): Promise<Share> {
  const wanted = { kind: 'event', object: 'e', camera: 'front', from: now, until: now } as const;
  const more = { passwordHash: undefined, label: undefined, creator, expiresAt: now + hour };
  return (await shares.add({ ...wanted, ...more, ...change }, 100, unconditional)).share;
}
const opened = async (of: Pick<Share, 'id' | 'secretHash' | 'expiresAt'>) =>
  (await cookie.issue(of, '', true)).split(';')[0] ?? '';

const thumbnail = '/api/events/e/thumbnail.jpg';
async function decide(of: Share, target = thumbnail, change: Partial<RequestContext> = {}, isEnabled = true) {
  const request = {
    entryPoint: 'authenticated',
    method: 'GET',
    uri: `/postern/share/${of.id}/media${target}`,
    headers: ['Cookie', await opened(of)],
    host: 'gate.local',
    secure: true,
    isSharedMedia: true,
    ...change,
  } as const;
  const authenticated = await shareLink(dependencies(isEnabled), current)(request);
  if (authenticated === undefined) throw new Error('the next strategy would decide');
  return evaluate(request, authenticated, current.rules);
}
const reasonOf = async (...asked: Parameters<typeof decide>) => {
  const decision = await decide(...asked);
  expect('onBehalf' in decision).toBe(decision.outcome === 'allow');
  return `${decision.outcome} ${decision.reason}`;
};

describe('media of a share', () => {
  test('are passed on as its creator, for the one camera, until it ends', async () => {
    const of = await share();
    expect(await decide(of)).toMatchObject({
      outcome: 'allow',
      reason: 'shared',
      path: `/postern/share/${of.id}/media${thumbnail}`,
      identity: { user: `share:${of.id}`, role: 'family', source: 'share' },
      resource: { kind: 'cameras', cameras: ['front'] },
      grant: new Set(['front']),
      until: now + hour,
      onBehalf: { target: thumbnail, identity: { user: 'olaf', role: 'family', source: 'session' } },
    });
  });

  test('are passed on within the creator’s schedule', async () => {
    const of = await share();
    const stateOf = () => ({ isOpen: true, until: now + 1_000 });
    current = { ...current, rules: { ...familyWith({ ...sharing, hours: '07:00-19:00' }), stateOf } };
    expect(await decide(of)).toMatchObject({ until: now + 1_000 });
  });

  test('need the cookie of the share: without it, the login is missing', async () => {
    const [of, other] = [await share(), await share()];
    expect(await reasonOf(of, thumbnail, { headers: [] })).toBe('unauthenticated share_unopened');
    expect(await reasonOf(of, thumbnail, { headers: ['Cookie', await opened(other)] })).toBe(
      'unauthenticated share_unopened',
    );
    expect((await decide(of, thumbnail, { headers: [] })).identity).toBeUndefined();
  });

  test('end with the secret that unlocked it', async () => {
    const of = await share();
    const former = await opened({ ...of, secretHash: 'ab'.repeat(32) });
    expect(await reasonOf(of, thumbnail, { headers: ['Cookie', former] })).toBe('forbidden share_over');
  });

  test('end with the share, with sharing, and with the recording', async () => {
    const of = await share();
    expect(await reasonOf(of, thumbnail, {}, false)).toBe('forbidden share_over');
    event = undefined;
    expect(await reasonOf(of)).toBe('forbidden share_over');
    event = { camera: 'garage', startTime: now, endTime: now, hasClip: true };
    expect(await reasonOf(of)).toBe('forbidden share_over');
    event = { ...event, camera: 'front' };
    expect(await reasonOf(of)).toBe('allow shared');
    await shares.end(of.id, unconditional);
    expect(await reasonOf(of)).toBe('forbidden share_over');
    expect((await decide(of)).identity).toMatchObject({ user: `share:${of.id}`, role: '' });
  });

  test('end when their creator loses access', async () => {
    const of = await share();
    await users.setRole('olaf', 'viewer', unconditional);
    expect(await reasonOf(of)).toBe('allow shared');
    current = { ...current, rules: familyWith(sharing, ['garage']) };
    await users.setRole('olaf', 'family', unconditional);
    expect(await reasonOf(of)).toBe('forbidden camera_not_granted');
    await users.block('olaf', unconditional);
    expect(await reasonOf(of)).toBe('forbidden share_maker');
  });

  test('end when their creator may not share any more, and open again with the word', async () => {
    const of = await share();
    current = { ...current, rules: familyWith({}) };
    expect(await decide(of)).toMatchObject({
      outcome: 'forbidden',
      reason: 'role_may_not',
      missing: 'share',
      identity: { user: `share:${of.id}` },
    });
    current = { ...current, rules };
    expect(await reasonOf(of)).toBe('allow shared');
  });

  test('from before the word existed run out by their time', async () => {
    const of = await share();
    await store.change(unconditional, (on) => on.updateTable('shares').set({ needs_word: 0 }).execute());
    current = { ...current, rules: familyWith({}) };
    expect(await reasonOf(of)).toBe('allow shared');
    expect(await showMedia(dependencies())((await shares.find(of.id)) as Share)).toBeDefined();
    now += hour;
    expect(await reasonOf(of)).toBe('forbidden share_over');
  });

  test.each([
    ['of another event', '/api/events/other/thumbnail.jpg', {}],
    ['with a query', `${thumbnail}?padding=60`, {}],
    ['by another method', thumbnail, { method: 'DELETE' }],
    ['of no method', thumbnail, { method: undefined }],
    ['that are none', '/api/front/latest.jpg', {}],
  ] as const)('%s are not part of it', async (_, target, change) => {
    const of = await share();
    const decision = await decide(of, target, change);
    expect(decision).toMatchObject({
      outcome: 'forbidden',
      reason: 'share_scope',
      identity: { role: 'family' },
    });
  });

  test('are refused without a share, or in an ambiguous form', async () => {
    const of = await share();
    const at = (uri: string | undefined) => reasonOf(of, thumbnail, { uri });
    expect(await at('/postern/share/short/media/a')).toBe('forbidden share_scope');
    expect(await at(`/postern/share/${of.id}/media`)).toBe('forbidden share_scope');
    expect(await at(`/x/postern/share/${of.id}/media${thumbnail}`)).toBe('forbidden share_scope');
    expect(await at(`/postern/share/${of.id}/media/../x`)).toBe('forbidden uri_dot_segment');
    expect(await at(undefined)).toBe('forbidden uri_malformed');
  });

  test('are the only use of the link', async () => {
    const of = await share();
    const headers = ['Cookie', await opened(of)];
    const request = {
      entryPoint: 'authenticated',
      method: 'GET',
      uri: thumbnail,
      host: 'h',
      secure: true,
    } as const;
    expect(shareLink(dependencies(), current)({ ...request, headers })).toBeUndefined();
  });

  test('are refused if everyone is', async () => {
    const of = await share();
    current = { ...current, rules: { ...rules, internalHosts: new Set(['gate']) } };
    const decision = await decide(of, thumbnail, { entryPoint: 'internal', host: 'rebound.example' });
    expect(decision).toMatchObject({ outcome: 'forbidden', reason: 'host_unknown' });
  });
});

describe('what a share shows', () => {
  const show = async (of: Share, isEnabled = true) => showMedia(dependencies(isEnabled))(of);

  test('exists while sharing is on, the recording exists, and its creator has access', async () => {
    const of = await share();
    expect(await show(of)).toEqual({ kind: 'event', id: 'e', hasClip: true });
    expect(await show(of, false)).toBeUndefined();
    const before = event;
    event = undefined;
    expect(await show(of)).toBeUndefined();
    event = before;
    current = { ...current, rules: familyWith(sharing, ['garage']) };
    expect(await show(of)).toBeUndefined();
    current = { ...current, rules: familyWith({}) };
    expect(await show(of)).toBeUndefined();
    current = { ...current, rules };
    expect(await show(of)).toBeDefined();
    await users.remove('olaf', unconditional);
    expect(await show(of)).toBeUndefined();
  });
});

test.each([
  ['/postern/share/abc/media/api', true],
  ['/postern/share/abc/media/', true],
  ['/postern/share/abc/media', false],
  ['/postern/share//media/api', false],
  ['/postern/share/abc/x/media/api', false],
  ['/postern/share/abc?/media/api', false],
  ['/Postern/share/abc/media/api', false],
  ['/x/postern/share/abc/media/api', false],
  ['//postern/share/abc/media/api', false],
])('%s is a target of media: %s', (target, expected) => {
  expect(isMediaTarget(target)).toBe(expected);
});

describe('the cookie of an opened share', () => {
  let now = 1_793_100_000_000;
  const clock = { now: () => now };
  const sealing = createSealing('a secret', clock);
  const cookie = createShareCookie(sealing, clock);
  const share = { id: 'a-share-of-somebody', secretHash: 'ab'.repeat(32), expiresAt: now + 3_600_000 };
  const valueOf = (set: string) => set.split(';')[0] ?? '';

  test('is valid for the share and its secret, below its path, until it ends', async () => {
    const set = await cookie.issue(share, '/cameras', true);
    expect(set.replace(valueOf(set), '')).toBe(
      '; Max-Age=3600; Path=/cameras/postern/share/a-share-of-somebody/; HttpOnly; SameSite=Strict; Secure',
    );
    expect(await cookie.read([`x=1; ${valueOf(set)}`])).toEqual({
      id: share.id,
      secretHash: share.secretHash,
    });
    now += 3_600_000;
    expect(await cookie.read([valueOf(set)])).toBeUndefined();
    now -= 3_600_000;
  });

  test('is valid for half a day at most', async () => {
    const set = await cookie.issue({ ...share, expiresAt: now + 86_400_000 }, '', false);
    expect(set).toContain('; Max-Age=43200; Path=/postern/share/');
    expect(set).not.toContain('Secure');
  });

  test('is valid for at least a second, and for the rest of the share, rounded up', async () => {
    expect(await cookie.issue({ ...share, expiresAt: now }, '', true)).toContain('; Max-Age=1;');
    expect(await cookie.issue({ ...share, expiresAt: now + 900 }, '', true)).toContain('; Max-Age=1;');
    expect(await cookie.issue({ ...share, expiresAt: now + 1_100 }, '', true)).toContain('; Max-Age=2;');
  });

  test('rejects a cookie sealed for another purpose, with another secret, or sent in two forms', async () => {
    const claims = { share: share.id, secret: share.secretHash };
    const wrong = [
      `postern_share=${await sealing.issue('login at x', claims, 60)}`,
      `postern_share=${await sealing.issue('opened share', { share: share.id }, 60)}`,
      valueOf(await createShareCookie(createSealing('another', clock), clock).issue(share, '', true)),
      'postern_share=',
      'postern_share=x.y.z',
    ];
    for (const one of wrong) expect(await cookie.read([one])).toBeUndefined();
    const [one, other] = [await cookie.issue(share, '', true), await cookie.issue(share, '', true)];
    expect(await cookie.read([`${valueOf(one)}; ${valueOf(other)}`])).toBeUndefined();
    expect(await cookie.read([])).toBeUndefined();
  });
});
