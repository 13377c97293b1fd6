import { noSchedules, rolesOf } from '../../../support/roles.ts';
import { describe, expect, test } from 'vitest';
import { ownRules } from '../../../support/every-endpoint.ts';
import type { Allowed } from '../../../../src/policy/decision.ts';
import { checks, firstRefusal } from '../../../../src/policy/evaluate/checks.ts';
import { lockedRules, recorderRules } from '../../../../src/policy/recorder/access-rules.ts';
import type { Rules } from '../../../../src/policy/evaluate/rules.ts';
import { plainIdentity, type ShareScope } from '../../../../src/policy/identity.ts';
import { prepareRules } from '../../../../src/policy/rule-tree.ts';
import { decideForCreator, decideShared } from '../../../../src/policy/evaluate/share-access.ts';
import type { Stop } from '../../../../src/policy/stop.ts';
import { filtered, known, nothingRecorded } from '../known-cameras.ts';

const cameras = ['front', 'garage', 'event', 'exports', 'config'];
const rules: Rules = {
  roles: rolesOf(
    [
      ['family', ['front', 'event', 'config']],
      ...['watcher', 'past', 'exporter', 'mover'].map((role) => [role, ['front']] as const),
    ],
    {
      watcher: { may: ['live'] },
      past: { may: ['history'] },
      exporter: { may: ['export'] },
      mover: { may: ['ptz'] },
    },
  ),
  resolveResource: prepareRules([...ownRules, ...lockedRules, ...recorderRules])(known(cameras)),
  recorded: {
    ...nothingRecorded,
    camerasOfEvents: (ids) => new Map(ids.filter((id) => id === 'e1').map((id) => [id, 'front'])),
    camerasOfExport: (name) => ({ 'one.mp4': ['front'], 'two.mp4': ['front', 'garage'] })[name] ?? [],
  },
  internalHosts: new Set(),
  listsAreFiltered: filtered.listsAreFiltered,
  stateOf: noSchedules,
  basePath: '',
};
const reasonOf = (target: string, camera: string, role: string, method = 'GET') =>
  decideForCreator({ target, method, camera }, plainIdentity('olaf', role, 'session'), rules).reason;

describe.each(['admin', 'viewer', 'family'])('a creator who is %s', (role) => {
  test.each([
    ['/api/events/e1/thumbnail.jpg', 'front'],
    ['/vod/event/e1/master.m3u8', 'front'],
    ['/exports/one.mp4', 'front'],
    ['/api/front/latest.jpg', 'front'],
    ['/vod/front/start/1/end/2/master.m3u8', 'front'],
  ])('shares %s', (target, camera) => expect(reasonOf(target, camera, role)).toBe('allowed'));

  test.each([
    ['an event of another camera', '/api/events/e1/thumbnail.jpg', 'garage'],
    ['an event that there is not', '/api/events/e2/thumbnail.jpg', 'front'],
    ['a file of two exports', '/exports/two.mp4', 'front'],
    ['a camera that is called like what is of an event', '/vod/event/e1/master.m3u8', 'event'],
    ['a camera that is called like the configuration', '/api/config/latest.jpg', 'config'],
    ['a list', '/api/events', 'front'],
    ['a list that a role narrows to the camera', '/api/events?cameras=front,garage', 'front'],
    ['what names no camera', '/api/version', 'front'],
    ['what is public', '/login', 'front'],
    ['what is the gate’s own', '/postern/api/cameras', 'front'],
  ])('does not share %s', (_, target, camera) =>
    expect(reasonOf(target, camera, role)).not.toMatch(/^(?:allowed|public)$/),
  );
});

test('refuses what the creator may not see, with the creator’s own reason', () => {
  expect(reasonOf('/api/garage/latest.jpg', 'garage', 'family')).toBe('camera_not_granted');
  expect(reasonOf('/api/front/latest.jpg', 'front', 'unknown')).toBe('camera_not_granted');
});

describe('what a creator may do decides what they share', () => {
  test.each<[what: string, target: string, role: string]>([
    ['live pictures', '/api/front/latest.jpg', 'watcher'],
    ['live streams', '/live/mse/api/ws?src=front', 'watcher'],
    ['events', '/api/events/e1/thumbnail.jpg', 'past'],
    ['recordings', '/vod/event/e1/master.m3u8', 'past'],
    ['exports', '/exports/one.mp4', 'exporter'],
  ])('%s: %s needs %s', (_, target, able) => {
    for (const role of ['watcher', 'past', 'exporter', 'mover'])
      expect(reasonOf(target, 'front', role), role).toBe(role === able ? 'allowed' : 'role_may_not');
  });
});

describe('a share', () => {
  const link = plainIdentity('share:abc', '', 'share');
  const creator = (role: string) => plainIdentity('olaf', role, 'session');
  const share: ShareScope = {
    isOver: false,
    creator: creator('family'),
    needsWord: false,
    target: '/api/front/latest.jpg',
    camera: 'front',
    expiresAt: 5_000,
  };
  const stop = (until: number): Stop => ({
    kind: 'share',
    name: 'abc',
    session: undefined,
    cameras: undefined,
    until,
  });
  const decide = (changes: Partial<ShareScope> = {}, stops: readonly Stop[] = []) =>
    decideShared(
      { method: 'GET' },
      '/share/abc/live',
      { identity: link, share: { ...share, ...changes } },
      {
        ...rules,
        stopsOf: (identity) => (identity === link ? stops : []),
      },
    );

  test('shows its camera and no other, as its creator would see it, until it expires', () => {
    expect(decide()).toMatchObject({
      path: '/share/abc/live',
      outcome: 'allow',
      reason: 'shared',
      identity: link,
      grant: new Set(['front']),
      until: 5_000,
      onBehalf: { target: '/api/front/latest.jpg', identity: share.creator },
    });
  });

  const nothing = { creator: undefined, target: undefined };
  test.each<[what: string, changes: Partial<ShareScope>, stops: readonly Stop[], decided: object]>([
    ['is over, before all else', { isOver: true, ...nothing }, [stop(1)], { reason: 'share_over' }],
    [
      'is stopped, until the last stop',
      {},
      [stop(2), stop(9), stop(3)],
      { reason: 'stopped', opening: { opens: 9 } },
    ],
    ['is stopped, whatever was asked for', nothing, [stop(2)], { reason: 'stopped' }],
    ['has lost its creator', nothing, [], { reason: 'share_maker' }],
    [
      'needs a word that its creator has lost',
      { needsWord: true, creator: creator('watcher'), target: undefined },
      [],
      { reason: 'role_may_not', missing: 'share' },
    ],
    ['does not have what was asked for', { target: undefined }, [], { reason: 'share_scope' }],
    [
      'is of a camera that its creator does not see anymore',
      { target: '/api/garage/latest.jpg', camera: 'garage' },
      [],
      { reason: 'camera_not_granted' },
    ],
    [
      'is live, and its creator may only look back',
      { creator: creator('past') },
      [],
      { reason: 'role_may_not', missing: 'live' },
    ],
  ])('that %s shows nothing', (_, changes, stops, decided) => {
    expect(decide(changes, stops)).toMatchObject({
      path: '/share/abc/live',
      outcome: 'forbidden',
      identity: link,
      ...decided,
    });
  });

  test('that needs a word which its creator has shows its camera', () => {
    expect(decide({ needsWord: true, creator: creator('admin') }).reason).toBe('shared');
  });
});

test.each<[what: string, permitted: Partial<Allowed>, reason: string | undefined]>([
  ['its camera', { resource: { kind: 'cameras', cameras: ['front'] } }, undefined],
  ['no camera', { resource: { kind: 'cameras', cameras: [] } }, 'share_scope'],
  ['another camera too', { resource: { kind: 'cameras', cameras: ['front', 'garage'] } }, 'share_scope'],
  ['nothing that is known', {}, 'share_scope'],
])('a share shows what is of %s: %o %s', (_, permitted, reason) => {
  const shown = { permitted: permitted as Allowed, camera: 'front' };
  expect(firstRefusal(checks.ofSharedTarget, shown)).toBe(reason);
});
