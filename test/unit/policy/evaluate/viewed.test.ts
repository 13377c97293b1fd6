import { describe, expect, test } from 'vitest';
import type { Allowed } from '../../../../src/policy/decision.ts';
import { viewedBy } from '../../../../src/policy/evaluate/viewed.ts';
import { plainIdentity } from '../../../../src/policy/identity.ts';
import { lockedRules, recorderRules } from '../../../../src/policy/recorder/access-rules.ts';
import type { RequestContext } from '../../../../src/policy/request-context.ts';
import { prepareRules } from '../../../../src/policy/rule-tree.ts';
import { recorderRoutes } from '../../../support/recorder-facts.ts';
import { known } from '../known-cameras.ts';

const event = '1793000276.376447-de8gxd';
const recorded = {
  camerasOfEvents: (ids: readonly string[]) =>
    new Map(ids.filter((id) => id === event).map((id) => [id, 'garage'])),
  camerasOfExport: (name: string) => (name.startsWith('garage_') ? ['garage'] : []),
  camerasOfReview: (id: string) => (id === event ? ['garage'] : []),
};
const lookup = {
  resolveAsRecorder: prepareRules([...lockedRules, ...recorderRules])(known(['garage', 'front_door'])),
  recorded,
  recordedTimes: {
    startsOfEvents: () => new Map<string, number>(),
    startsOfExport: () => [1_793_000_000],
    startsOfReview: () => [],
  },
};
const permitted: Allowed = {
  outcome: 'allow',
  reason: 'allowed',
  identity: plainIdentity('vera', 'viewer', 'session'),
  grant: 'all',
  may: new Set(),
};
const asked = (uri: string | undefined, method = 'GET'): RequestContext => ({
  entryPoint: 'authenticated',
  method,
  uri,
  headers: [],
  host: 'gate.test',
  secure: true,
});
const shown = (uri: string | undefined, change: Partial<typeof lookup> = {}) => {
  const viewed = viewedBy(asked(uri), permitted, { ...lookup, ...change });
  return viewed && `${viewed.kind} ${viewed.cameras.join()}`;
};

describe('someone who sees all cameras watches', () => {
  test.each([
    ['/live/jsmpeg/garage', 'live garage'],
    ['/live/mse/api/ws?src=garage', 'live garage'],
    ['/live/jsmpeg/birdseye', 'live birdseye'],
    ['/live/mse/api/ws?src=birdseye', 'live birdseye'],
    ['/api/birdseye', 'live birdseye'],
    ['/api/birdseye/latest.jpg', 'live birdseye'],
    ['/api/garage', 'live garage'],
    ['/api/garage/latest.webp?h=360', 'live garage'],
    ['/stream/garage/1.ts', 'live unknown'],
    ['/api/go2rtc/api/hls/segment.ts?id=x', 'live unknown'],

    [`/vod/event/${event}/seg-1-v1.ts`, 'recorded garage'],
    ['/vod/garage/start/1/end/2/seg-1-v1.ts', 'recorded garage'],
    ['/vod/garage,front_door/start/1/end/2/seg-1-v1.ts', 'recorded unknown'],
    ['/vod/event/gone/seg-1-v1.ts', 'recorded unknown'],
    [`/api/events/${event}/clip.mp4`, 'recorded garage'],
    [`/api/events/${event}/snapshot.jpg`, 'recorded garage'],
    [`/api/events/${event}/snapshot-clean.webp`, 'recorded garage'],
    [`/api/events/${event}/preview.gif`, 'recorded garage'],
    [`/API/Events/${event}/clip.mp4`, 'recorded garage'],
    [`//api/events//${event}/clip.mp4`, 'recorded garage'],
    [`/api/review/${event}/preview`, 'recorded garage'],
    [`/api/review/${event}/clip.mp4`, 'recorded garage'],
    [`/clips/garage-${event}.jpg`, 'recorded garage'],
    [`/clips/garage-${event}-clean.png`, 'recorded garage'],
    ['/clips/previews/garage/1793000000-1793003600.mp4', 'recorded garage'],
    ['/clips/other/x.jpg', 'recorded unknown'],
    ['/clips/faces/olaf/1.webp', 'recorded unknown'],
    ['/api/preview/preview_garage-1793000276.3.webp/thumbnail.webp', 'recorded garage'],
    ['/api/garage/person/clip.mp4', 'recorded garage'],
    ['/api/garage/person/best.jpg', 'recorded garage'],
    ['/api/garage/person/snapshot.jpg', 'recorded garage'],
    ['/api/garage/grid.jpg', 'recorded garage'],
    ['/api/garage/of_a_new_release.webp', 'recorded garage'],
    ['/api/garage/recordings/1793000000/snapshot.jpg', 'recorded garage'],
    ['/api/garage/start/1/end/2/clip.mp4', 'recorded garage'],
    ['/exports/garage_parcel.mp4', 'recorded garage'],
    ['/exports/parcel.mp4', 'recorded unknown'],
    ['/exports/x/garage_parcel.mp4', 'recorded unknown'],
    ['/recordings/2026-10-01/12/garage/00.00.mp4', 'recorded garage'],
    ['/recordings/garage.mp4', 'recorded unknown'],
    ['/api/cases/k1/download', 'recorded unknown'],
    // The front does not show what it passes on.
    [undefined, 'recorded unknown'],
  ])('%s: %s', (uri, watched) => {
    expect(shown(uri)).toBe(watched);
  });

  test.each([
    '/',
    '/index.html',
    '/ws',
    '/api/version',
    '/api/config',
    '/api/events',
    `/api/events/${event}`,
    `/api/events/${event}/thumbnail.jpg`,
    `/clips/thumbs/garage/${event}.webp`,
    `/clips/review/thumb-garage-${event}.webp`,
    '/clips/export/garage_1.webp',
    '/clips/',
    '/recordings/',
    '/exports/',
    `/vod/event/${event}/master.m3u8`,
    `/api/vod/event/${event}`,
    '/api/garage/recordings',
    '/api/garage/person/thumbnail.jpg',
    '/api/preview/garage/start/1/end/2',
    '/api/go2rtc/api/streams?src=garage',
    '/api/go2rtc/api',
    '/api/users/john.doe',
    '/postern/cameras/garage',
  ])('not at %s', (uri) => {
    expect(shown(uri)).toBeUndefined();
  });

  test('while the recorder’s database is away, something that is not known', () => {
    const fault = () => {
      throw new Error('away');
    };
    const away = { camerasOfEvents: fault, camerasOfExport: fault, camerasOfReview: fault };
    const uris = [`/api/events/${event}/clip.mp4`, '/exports/garage_parcel.mp4', '/api/garage/latest.jpg'];
    expect(uris.map((uri) => shown(uri, { recorded: away }))).toEqual([
      'recorded unknown',
      'recorded unknown',
      'live garage',
    ]);
  });
});

test('the time of what was recorded stands in the path, or in the row of an export', () => {
  const footage = (uri: string) => viewedBy(asked(uri), permitted, lookup)?.footage?.from;
  expect(footage(`/api/events/${event}/clip.mp4`)).toBe(1_793_000_276.376447);
  expect(footage('/exports/garage_parcel.mp4')).toBe(1_793_000_000);
  expect(footage('/api/garage/person/clip.mp4')).toBeUndefined();
});

test('a share shows what it asks the recorder for', () => {
  const identity = plainIdentity('share:x', 'viewer', 'share');
  const onBehalf = { target: `/vod/event/${event}/seg-1-v1.ts`, identity };
  const viewed = viewedBy(
    asked('/postern/share/x/media/vod/event/y/seg-1-v1.ts'),
    { ...permitted, onBehalf },
    lookup,
  );
  expect(viewed).toMatchObject({ kind: 'recorded', cameras: ['garage'] });
});

test.each(['0.17', '0.18'] as const)('no file of the recorder %s is left out but thumbnails', (release) => {
  const uris = recorderRoutes(release)
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path)
    .filter((path) => /\.(?:\w+|\{\w+\})$/.test(path))
    .map((path) =>
      path
        .replace('{camera_name}', 'garage')
        .replace(/\{(?:event|review)_id\}/, event)
        .replace('{file_name}', 'preview_garage-1793000276.3.webp')
        .replace(/\{(?:extension|format)\}/, 'jpg')
        .replace(/\{\w+\}/g, '1'),
    );
  expect(uris.length).toBeGreaterThan(10);
  expect(uris.filter((uri) => shown(uri)?.endsWith(' garage') !== true)).toEqual([
    '/api/config/schema.json',
    `/api/events/${event}/thumbnail.jpg`,
    '/api/garage/1/thumbnail.jpg',
  ]);
});
