import { ownRules } from '../../support/every-endpoint.ts';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../src/policy/evaluate/evaluate.ts';
import { plainIdentity, type Identity } from '../../../src/policy/identity.ts';
import { lockedRules, recorderRules } from '../../../src/policy/recorder/access-rules.ts';
import { prepareRules } from '../../../src/policy/rule-tree.ts';
import { prepareSchedules } from '../../../src/policy/schedule.ts';
import { stoppable, stopsOf, type Stop } from '../../../src/policy/stop.ts';
import { rolesOf } from '../../support/roles.ts';
import { known, nothingRecorded } from './known-cameras.ts';

const now = 1_000_000;
const nell = plainIdentity('nell', 'family', 'session');
const byToken: Identity = {
  ...plainIdentity('nell', 'family', 'api-token'),
  token: { id: 'script', cameras: undefined },
};
const link = plainIdentity('share:abc', '', 'share');
const proxied = plainIdentity('nell', 'family', 'proxy');
const screen: Identity = {
  ...plainIdentity('display:kitchen', 'family', 'display'),
  token: { id: 'kitchen', cameras: undefined, owner: 'nell', name: 'Kitchen' },
};
const stop = (changes: Partial<Stop> = {}): Stop => ({
  kind: 'account',
  name: 'nell',
  session: undefined,
  cameras: undefined,
  until: now + 1,
  ...changes,
});

describe('a stop is of', () => {
  test.each<[what: string, of: Partial<Stop>, identity: Identity, isOf: boolean]>([
    ['a session of the account', {}, nell, true],
    ['a bearer of the account', {}, { ...nell, source: 'bearer' }, true],
    ['an API token of the account', {}, byToken, true],
    ['another account', { name: 'olaf' }, nell, false],
    ['the same account in another letter case', { name: 'NELL' }, nell, true],
    ['a user of a proxy with the same name', {}, proxied, false],
    ['a user of a proxy', { kind: 'proxy' }, proxied, true],
    ['a user of a proxy in another letter case', { kind: 'proxy', name: 'Nell' }, proxied, true],
    ['an account with the name of a user of a proxy', { kind: 'proxy' }, nell, false],
    ['an API token', { kind: 'api-token', name: 'script' }, byToken, true],
    ['a screen of the account', {}, screen, true],
    ['a screen of the account in another letter case', { name: 'NELL' }, screen, true],
    ['a screen of another account', { name: 'olaf' }, screen, false],
    ['a screen', { kind: 'api-token', name: 'kitchen' }, screen, true],
    ['another screen', { kind: 'api-token', name: 'hall' }, screen, false],
    ['a user of a proxy with the name of its owner', { kind: 'proxy' }, screen, false],
    ['a share with the id of the screen', { kind: 'share', name: 'kitchen' }, screen, false],
    ['a share of the account', {}, { ...link, user: 'share:nell' }, false],
    ['an account with the name of a share', { kind: 'share', name: 'nell' }, nell, false],
    ['a user of a proxy, with the name of a share', { kind: 'share', name: 'nell' }, proxied, false],
    ['another API token', { kind: 'api-token', name: 'other' }, byToken, false],
    ['the owner of an API token', { kind: 'api-token', name: 'nell' }, nell, false],
    ['a share', { kind: 'share', name: 'abc' }, link, true],
    ['another share', { kind: 'share', name: 'abcd' }, link, false],
    ['this session', { session: 'phone' }, nell, true],
    ['another session', { session: 'tablet' }, nell, false],
    ['one that has ended', { until: now }, nell, false],
    ['the internal entry point', {}, { ...nell, source: 'internal' }, false],
  ])('%s', (_, of, identity, isOf) => {
    expect(stopsOf([stop(of)], identity, () => 'phone', now)).toHaveLength(isOf ? 1 : 0);
  });

  test.each<[Identity, ReturnType<typeof stoppable>]>([
    [nell, { kind: 'account', name: 'nell' }],
    [byToken, { kind: 'api-token', name: 'script' }],
    [link, { kind: 'share', name: 'abc' }],
    [proxied, { kind: 'proxy', name: 'nell' }],
    [screen, { kind: 'api-token', name: 'kitchen' }],
    [plainIdentity('anonymous', 'admin', 'internal'), undefined],
  ])('whom %o names', (identity, whom) => {
    expect(stoppable(identity)).toEqual(whom);
  });
});

const rules = (stops: readonly Stop[]) => ({
  roles: rolesOf([['family', ['front']]]),
  resolveResource: prepareRules([...ownRules, ...lockedRules, ...recorderRules])(known(['front', 'garage'])),
  recorded: nothingRecorded,
  internalHosts: new Set<string>(),
  listsAreFiltered: () => true,
  basePath: '',
  stateOf: prepareSchedules({ now: () => now }, () => 'UTC'),
  stopsOf: () => stops,
});
const decide = (uri: string, role: string, stops: readonly Stop[]) =>
  evaluate(
    {
      entryPoint: 'authenticated',
      front: 'embedded',
      method: 'GET',
      uri,
      headers: [],
      peer: '192.0.2.1',
      host: 'gate.test',
      secure: true,
    },
    { identity: plainIdentity('nell', role, 'session') },
    rules(stops),
  );

test.each<[what: string, stops: readonly Stop[], granted: readonly string[]]>([
  ['without a stop', [], ['front']],
  ['while all is stopped', [stop()], []],
  ['while that camera is stopped', [stop({ cameras: ['front'] })], []],
  ['while other cameras are stopped', [stop({ cameras: ['garage'] })], ['front']],
])('a refused camera comes with those that may be watched, %s', (_, stops, granted) => {
  const decision = decide('/api/garage/latest.jpg', 'family', stops);
  expect(decision).toMatchObject({ reason: 'camera_not_granted', granted: new Set(granted) });
});

describe('while all is stopped', () => {
  test.each<[uri: string, role: string, reason: string]>([
    ['/api/front/latest.jpg', 'family', 'stopped'],
    ['/live/mse/api/ws?src=front', 'family', 'stopped'],
    ['/api/events?cameras=front', 'family', 'stopped'],
    ['/exports/none.mp4', 'viewer', 'stopped'],
    ['/vod/front/start/1/end/2/master.m3u8', 'admin', 'stopped'],
    ['/postern/cameras/front', 'family', 'stopped'],
    ['/postern/live/front', 'family', 'stopped'],
    // Pictures for admins alone are pictures.
    ['/api/birdseye', 'admin', 'stopped'],
    ['/API/birdseye', 'admin', 'stopped'],
    ['/api/go2rtc/api/hls/playlist.m3u8?id=1', 'admin', 'stopped'],
    ['/clips/faces/train/1.webp', 'admin', 'stopped'],
    // A foreign camera, and one that does not exist, are as they were.
    ['/api/garage/latest.jpg', 'family', 'camera_not_granted'],
    ['/api/none/latest.jpg', 'family', 'target_unresolved'],
    // Neither shows a picture.
    ['/api/version', 'family', 'allowed'],
    ['/api/profile', 'family', 'allowed'],
    ['/postern/', 'family', 'allowed'],
    ['/postern/api/streams', 'admin', 'allowed'],
    ['/api/config', 'admin', 'allowed'],
    ['/api/go2rtc/streams', 'admin', 'allowed'],
    ['/api/restart', 'admin', 'allowed'],
  ])('%s as %s: %s', (uri, role, reason) => {
    const decision = decide(uri, role, [stop({ until: now + 5_000 })]);
    expect(decision.reason).toBe(reason);
    if (decision.outcome !== 'allow' && reason === 'stopped')
      expect(decision.opening).toEqual({ opens: now + 5_000 });
  });

  test.each(['family', 'viewer', 'admin'])('the messages to %s are about nothing', (role) => {
    expect(decide('/ws', role, [stop()])).toMatchObject({
      outcome: 'allow',
      isGuarded: true,
      may: new Set(),
    });
    expect(decide('/ws', 'viewer', [])).toMatchObject({ outcome: 'allow', isGuarded: false });
  });
});

test.each<[uri: string, reason: string]>([
  ['/api/front/latest.jpg', 'stopped'],
  ['/api/garage/latest.jpg', 'allowed'],
  ['/live/mse/api/ws?src=front&src=garage', 'stopped'],
  ['/live/jsmpeg/birdseye', 'stopped'],
  ['/vod/unknown', 'stopped'],
  ['/api/events', 'allowed'],
])('while one camera is stopped, %s: %s', (uri, reason) => {
  expect(decide(uri, 'viewer', [stop({ cameras: ['front'] })]).reason).toBe(reason);
});

test('while one camera is stopped, so is a picture of all for admins', () => {
  expect(decide('/api/birdseye', 'admin', [stop({ cameras: ['front'] })]).reason).toBe('stopped');
});

test('the last of several stops says until when', () => {
  const stops = [stop({ until: now + 1_000 }), stop({ until: now + 9_000 }), stop({ until: now + 3_000 })];
  expect(decide('/api/front/latest.jpg', 'family', stops)).toMatchObject({ opening: { opens: now + 9_000 } });
});
