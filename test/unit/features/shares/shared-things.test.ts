import type { Capability } from '../../../../src/policy/capability.ts';
import { sharedPaths, type SharedMedia } from '../../../../src/policy/share-scope.ts';
import { rolesOf } from '../../../support/roles.ts';
import { describe, expect, test } from 'vitest';
import { plainIdentity } from '../../../../src/policy/identity.ts';
import {
  findThing,
  shareableBy,
  mediaOf,
  type RecordedThings,
} from '../../../../src/features/shares/shared-things.ts';
import { settings } from '../../api/api-dependencies.ts';

const now = 1_793_000_000_000;
const hour = 3_600_000;
const event = { camera: 'front', startTime: now - hour, endTime: now - hour + 20_000, hasClip: true };
const exported = { camera: 'front', startTime: now - hour, video: 'a.mp4', thumbnail: 'a.webp' };
const recorded = (change: Partial<typeof event> | { readonly endTime: undefined } = {}): RecordedThings => ({
  eventById: (id) => (id === 'e' ? { ...event, ...change } : undefined),
  exportById: (id) => (id === 'x' ? { ...exported, ...change } : undefined),
});

describe('the time of what is shared', () => {
  const find = (kind: 'event' | 'export', object: string, of = recorded()) =>
    findThing({ kind, object }, of, now);

  test('is the chosen period of a camera', () => {
    const wanted = { kind: 'camera', camera: 'front', from: now, until: now + hour } as const;
    expect(findThing(wanted, recorded(), now)).toEqual({ ...wanted, object: undefined });
  });

  test('is the beginning and end of an event', () => {
    const [from, until] = [now - hour, now - hour + 20_000];
    expect(find('event', 'e')).toEqual({ kind: 'event', object: 'e', camera: 'front', from, until });
  });

  test('ends now for an event still going on', () => {
    const going = recorded({ endTime: undefined });
    expect(find('event', 'e', going)).toMatchObject({ from: now - hour, until: now });
  });

  test('is the beginning of an export', () => {
    expect(find('export', 'x')).toEqual({
      kind: 'export',
      object: 'x',
      camera: 'front',
      from: now - hour,
      until: now - hour,
    });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'of now, where a recorder has written %d',
    (startTime) => {
      expect(find('event', 'e', recorded({ startTime, endTime: Number.NaN }))).toMatchObject({
        from: now,
        until: now,
      });
      expect(find('export', 'x', recorded({ startTime }))).toMatchObject({ from: now, until: now });
    },
  );

  test('never ends before it begins', () => {
    expect(find('event', 'e', recorded({ endTime: now - 2 * hour }))).toMatchObject({
      from: now - hour,
      until: now - hour,
    });
  });

  test('is undefined when the thing does not exist', () => {
    expect(find('event', 'x')).toBeUndefined();
    expect(find('export', 'e')).toBeUndefined();
  });
});

describe('what a share shows', () => {
  const thing = { object: 'e', camera: 'front', from: now, until: now + hour };

  test('is the thing, as long as it exists with the same camera', () => {
    expect(mediaOf({ ...thing, kind: 'event' }, recorded())).toEqual({
      kind: 'event',
      id: 'e',
      hasClip: true,
    });
    expect(mediaOf({ ...thing, kind: 'export', object: 'x' }, recorded())).toEqual({
      kind: 'export',
      video: 'a.mp4',
      thumbnail: 'a.webp',
    });
    expect(mediaOf({ ...thing, kind: 'camera', object: undefined }, recorded())).toEqual({
      kind: 'camera',
      camera: 'front',
      from: now,
      until: now + hour,
    });
    for (const [kind, object] of [
      ['event', 'e'],
      ['export', 'x'],
    ] as const) {
      expect(mediaOf({ ...thing, kind, object, camera: 'garage' }, recorded())).toBeUndefined();
      expect(mediaOf({ ...thing, kind, object: 'gone' }, recorded())).toBeUndefined();
    }
  });

  const rules = {
    ...settings.rules,
    recorded: {
      ...settings.rules.recorded,
      camerasOfEvents: () => new Map([['e', 'front']]),
      camerasOfExport: () => ['front'],
    },
  };
  const family = plainIdentity('olaf', 'family', 'session');
  const shareable = (camera: string, at = now, from = now - hour, of = rules) =>
    shareableBy(family, { media: { kind: 'camera', camera, from, until: now + hour }, camera }, of, at);
  const sees = (...of: Parameters<typeof shareable>) => shareable(...of) !== undefined;
  const withMay = (may: readonly Capability[]) => ({
    ...rules,
    roles: rolesOf([['family', ['front']]], { family: { may } }),
  });

  test('may be shared by users who may see each part', () => {
    expect([sees('front'), sees('garage')]).toEqual([true, false]);
    const media = { kind: 'event', id: 'e', hasClip: true } as const;
    expect(shareableBy(family, { media, camera: 'front' }, rules, now)).toBe(media);
    expect(shareableBy(family, { media, camera: 'garage' }, rules, now)).toBeUndefined();
  });

  test('may be shared before and after its time, by its parts', () => {
    for (const at of [now - 2 * hour, now + 2 * hour])
      expect([sees('front', at), sees('garage', at)]).toEqual([true, false]);
    expect([sees('front', now, now + 1_000), sees('garage', now, now + 1_000)]).toEqual([true, false]);
  });

  const event = { kind: 'event', id: 'e', hasClip: true } as const;
  const exported = { kind: 'export', video: 'front.mp4', thumbnail: 'front.webp' } as const;
  test.each<[may: Capability[], event: boolean, exported: boolean, camera: 'whole' | 'recorded' | undefined]>(
    [
      [['live', 'history', 'export'], true, true, 'whole'],
      [['live', 'history'], true, false, 'whole'],
      [['history'], true, false, 'recorded'],
      [['live'], false, false, undefined],
      [['export'], false, true, undefined],
      [['live', 'ptz'], false, false, undefined],
    ],
  )('by a creator who may %j: an event %s, an export %s, a camera %s', (may, ...expected) => {
    const of = withMay(may);
    const show = (media: SharedMedia) =>
      shareableBy(family, { media, camera: 'front' }, of, now) !== undefined;
    // Whether its time is past, now, or still to come.
    for (const at of [now - 2 * hour, now, now + 2 * hour]) {
      const camera = shareable('front', at, now - hour, of);
      const parts = camera?.kind === 'camera' ? (camera.hasLive === false ? 'recorded' : 'whole') : undefined;
      expect([show(event), show(exported), parts]).toEqual(expected);
    }
  });

  test('shows no live picture to anyone if its creator has only recordings', () => {
    const media = shareable('front', now, now - hour, withMay(['history']));
    expect(media && sharedPaths(media, now)).not.toHaveProperty('live');
  });
});
