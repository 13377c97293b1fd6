import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalUri } from '../../../src/policy/canonical-uri.ts';
import { sharedPaths, sharedTarget, type SharedMedia } from '../../../src/policy/share-scope.ts';
import { assertCases } from '../../support/assert-cases.ts';

const noon = 1_793_000_000_000;
const hour = 3_600_000;
const seconds = (at: number) => String(at / 1000);

const event: SharedMedia = { kind: 'event', id: '1793000935.726501-j8ht9l', hasClip: true };
const exported: SharedMedia = { kind: 'export', video: 'fox 3.mp4', thumbnail: 'exp3.webp' };
const camera: SharedMedia = { kind: 'camera', camera: 'küche', from: noon - hour, until: noon + hour };

const targetOf = (media: SharedMedia, sent: string, now = noon, method = 'GET') => {
  const uri = canonicalUri(sent);
  return 'refused' in uri ? undefined : sharedTarget(media, method, uri, now);
};
const recorded = (from: number, until: number, file = 'master.m3u8') =>
  `/vod/k%C3%BCche/start/${seconds(from)}/end/${seconds(until)}/${file}`;

describe('a share of an event', () => {
  test.each([
    'api/events/1793000935.726501-j8ht9l/thumbnail.jpg',
    'api/events/1793000935.726501-j8ht9l/snapshot.jpg',
    'api/events/1793000935.726501-j8ht9l/clip.mp4',
    'api/events/1793000935.726501-j8ht9l/preview.gif',
    'vod/event/1793000935.726501-j8ht9l/master.m3u8',
    'vod/event/1793000935.726501-j8ht9l/index-v1-a1.m3u8',
    'vod/event/1793000935.726501-j8ht9l/seg-12-v1-a1.m4s',
    'vod/event/1793000935.726501-j8ht9l/init-v1-a1.mp4',
  ])('has %s', (path) => {
    expect(targetOf(event, `/${path}`)).toBe(`/${path}`);
    expect(targetOf(event, `/${path}`, noon, 'HEAD')).toBe(`/${path}`);
  });

  test.each([
    '/api/events/1793000935.726501-j8ht9',
    '/api/events/1793000935.726501-j8ht9l',
    '/api/events/1793001976.611703-seh60k/thumbnail.jpg',
    '/api/events/1793000935.726501-j8ht9l,1793001976.611703-seh60k/thumbnail.jpg',
    '/api/events/1793000935.726501-j8ht9l/thumbnail.jpg/',
    '/api/events/1793000935.726501-j8ht9l/clip.mp4?padding=3600',
    '/api/events/1793000935.726501-j8ht9l/retain',
    '/API/events/1793000935.726501-j8ht9l/thumbnail.jpg',
    '/vod/event/1793000935.726501-j8ht9l/',
    '/vod/event/1793000935.726501-j8ht9l/master.m3u8?start=0',
    '/vod/event/1793000935.726501-j8ht9l/seg-1-v1.ts.key',
    '/vod/event/1793000935.726501-j8ht9l/start/1/master.m3u8',
    '/vod/event/1793001976.611703-seh60k/master.m3u8',
    '/vod/event/1793000935.726501-j8ht9l/../1793001976.611703-seh60k/master.m3u8',
    '/vod/event/1793000935.726501-j8ht9l%2f..%2fmaster.m3u8',
    '/vod/front_door/start/1793000000/end/1793000001/master.m3u8',
    '/clips/front_door-1793000935.726501-j8ht9l.jpg',
    '/api/front_door/latest.jpg',
    '/api/event/1793000935.726501-j8ht9l/thumbnail.jpg',
    '/vod/events/1793000935.726501-j8ht9l/master.m3u8',
    '/clips/events/1793000935.726501-j8ht9l/thumbnail.jpg',
    '/api/events/1793000935.726501-j8ht9l/thumbnail.jpg/more',
    '/vod/event/1793000935.726501-j8ht9l/master.m3u8/more',
    '/vod/event/1793000935.726501-j8ht9l/x-master.m3u8',
    '/vod/event/1793000935.726501-j8ht9l/clip.mp4',
    '/api/events/1793000935.726501-j8ht9l/master.m3u8',
    '/',
    '/api/config',
  ])('has nothing at %s', (sent) => expect(targetOf(event, sent)).toBeUndefined());

  test.each(['thumbnail.webp', 'snapshot.jpg', 'thumbnail.jpg', 'preview.gif', 'clip.mp4'])(
    'has %s of the event',
    (file) => {
      const path = `/api/events/1793000935.726501-j8ht9l/${file}`;
      expect(targetOf(event, path)).toBe(path);
      for (const method of ['POST', 'DELETE', 'get', undefined] as const)
        expect(targetOf(event, path, noon, method ?? '')).toBeUndefined();
    },
  );

  test('has no video if there is none', () => {
    expect(sharedPaths({ ...event, hasClip: false }, noon)).toEqual({
      thumbnail: 'api/events/1793000935.726501-j8ht9l/thumbnail.jpg',
    });
  });
});

describe('a share of an export', () => {
  test('has its video and its thumbnail', () => {
    expect(targetOf(exported, '/exports/fox%203.mp4')).toBe('/exports/fox%203.mp4');
    expect(targetOf(exported, '/clips/export/exp3.webp')).toBe('/clips/export/exp3.webp');
  });

  test.each([
    '/exports/night-in-the-garage.mp4',
    '/exports/',
    '/exports',
    '/exports/exp3.webp',
    '/clips/export/fox%203.mp4',
    '/api/exports/exp3',
    '/exports/fox%203.mp4/x',
    '/exports/fox%203.mp4?download=1',
  ])('has nothing at %s', (sent) => expect(targetOf(exported, sent)).toBeUndefined());
});

describe('a share of a camera', () => {
  test('has recordings of its period, including both ends', () => {
    const [from, until] = [noon - hour, noon];
    expect(targetOf(camera, recorded(from, until))).toBe(recorded(from, until));
    expect(targetOf(camera, recorded(from, noon + hour))).toBe(recorded(from, noon + hour));
    expect(targetOf(camera, recorded(from + 0.5, until))).toBe(recorded(from + 0.5, until));
    expect(
      targetOf(camera, `/api/k%C3%BCche/start/${seconds(from)}/end/${seconds(until)}/clip.mp4`),
    ).toBeDefined();
    expect(targetOf(camera, `/api/k%C3%BCche/recordings/${seconds(from)}/snapshot.jpg`)).toBeDefined();
  });

  test.each([
    ['a second before', recorded(noon - hour - 1000, noon)],
    ['a second after', recorded(noon, noon + hour + 1000)],
    ['a thousandth after', recorded(noon, noon + hour + 1)],
    ['backwards', recorded(noon, noon - hour)],
    ['what is still to come', recorded(noon + 1000, noon + hour)],
    ['a moment before', `/api/k%C3%BCche/recordings/${seconds(noon - hour - 1)}/snapshot.jpg`],
    ['another camera', recorded(noon - hour, noon).replace('k%C3%BCche', 'garage')],
    ['a camera whose name begins so', recorded(noon - hour, noon).replace('k%C3%BCche', 'k%C3%BCche2')],
    ['a number in another form', recorded(noon - hour, noon).replace(seconds(noon), '1.793e9')],
    ['a number of sixteen', recorded(noon - hour, noon).replace(seconds(noon), '0x6adf0e40')],
    ['a number with a sign', recorded(noon - hour, noon).replace(seconds(noon), '-1')],
    ['two sets', recorded(noon - hour, noon, 'master.m3u8,x')],
    ['a query', `${recorded(noon - hour, noon)}?start=1`],
    ['the hour of all', '/vod/2026-10/26/10/k%C3%BCche/UTC/master.m3u8'],
    ['its recordings', '/recordings/2026-10-26/10/k%C3%BCche/00.00.mp4'],
    ['its summary', '/api/k%C3%BCche/recordings/summary'],
    ['its stream', '/api/k%C3%BCche'],
    ['more than the file', `${recorded(noon - hour, noon)}/more`],
    ['another word for the end', recorded(noon - hour, noon).replace('/end/', '/until/')],
    ['another word for the start', recorded(noon - hour, noon).replace('/start/', '/from/')],
    ['a clip among the streams', recorded(noon - hour, noon, 'clip.mp4')],
    ['a playlist of the API', recorded(noon - hour, noon).replace('/vod/', '/api/')],
    ['another file of the API', recorded(noon - hour, noon, 'clip.gif').replace('/vod/', '/api/')],
    ['another root', recorded(noon - hour, noon).replace('/vod/', '/live/')],
    ['no end', `/vod/k%C3%BCche/start/${seconds(noon - hour)}/end`],
    ['a start that is none', recorded(noon - hour, noon).replace(seconds(noon - hour), '01793')],
    ['a picture below another root', `/vod/k%C3%BCche/recordings/${seconds(noon)}/snapshot.jpg`],
    ['another file of a moment', `/api/k%C3%BCche/recordings/${seconds(noon)}/clip.mp4`],
    ['a moment that is still to come', `/api/k%C3%BCche/recordings/${seconds(noon + 1000)}/snapshot.jpg`],
    ['a moment below another word', `/api/k%C3%BCche/record/${seconds(noon)}/snapshot.jpg`],
    ['a picture of now below another root', '/vod/k%C3%BCche/latest.jpg'],
    ['a picture of now of another camera', '/api/garage/latest.jpg'],
    ['another picture of now', '/api/k%C3%BCche/latest.png'],
    ['more than a picture of now', '/api/k%C3%BCche/latest.jpg/more'],
  ])('has nothing of %s', (_, sent) => expect(targetOf(camera, sent)).toBeUndefined());

  test.each(['1.793e9', '+1793000000', '0x6adef240', '1793000000.', '01793000000', '%201793000000', 'now'])(
    'reads no number as %s, at either end, and for a picture',
    (form) => {
      const [from, until] = [recorded(noon - hour, noon), recorded(noon, noon + hour)];
      expect(targetOf(camera, from)).toBeDefined();
      expect(targetOf(camera, from.replace(seconds(noon), form))).toBeUndefined();
      expect(targetOf(camera, until)).toBeDefined();
      expect(targetOf(camera, until.replace(seconds(noon), form))).toBeUndefined();
      expect(targetOf(camera, `/api/k%C3%BCche/recordings/${form}/snapshot.jpg`)).toBeUndefined();
    },
  );

  test('has live pictures during its period, with a height only', () => {
    const live = '/api/k%C3%BCche/latest.jpg';
    expect(targetOf(camera, live)).toBe(live);
    expect(targetOf(camera, live, noon - hour)).toBe(live);
    expect(targetOf(camera, '/api/k%C3%BCche/latest.webp')).toBe('/api/k%C3%BCche/latest.webp');
    for (const query of ['h=1', 'h=1080', 'cache=1', 'cache=1793000000&h=480'])
      expect(targetOf(camera, `${live}?${query}`)).toBe(`${live}?${query}`);
    expect(targetOf(event, live)).toBeUndefined();
    expect(targetOf(camera, `${live}?h=480&cache=1793000000`)).toBe(`${live}?h=480&cache=1793000000`);
    expect(targetOf(camera, live, noon + hour)).toBe(live);
    expect(targetOf(camera, live, noon + hour + 1)).toBeUndefined();
    expect(targetOf(camera, live, noon - hour - 1)).toBeUndefined();
    for (const query of [
      'h=480&h=1',
      'bbox=1',
      'h=',
      'h=480&',
      'H=480',
      'h=480;bbox=1',
      'h=4%38',
      'cache=1&cache=2',
    ])
      expect(targetOf(camera, `${live}?${query}`), query).toBeUndefined();
  });

  test('requests at most a day from a recorder', () => {
    const week: SharedMedia = { ...camera, from: noon - 168 * hour, until: noon };
    expect(targetOf(week, recorded(noon - 24 * hour, noon))).toBeDefined();
    expect(targetOf(week, recorded(noon - 24 * hour - 1000, noon))).toBeUndefined();
    expect(sharedPaths(week, noon).video).toBe(recorded(noon - 24 * hour, noon).slice(1));
  });

  test('has its video from the first moment on, since a page keeps the path', () => {
    const begun = { ...camera, from: noon } satisfies SharedMedia;
    const { video = '' } = sharedPaths(begun, noon + 10);
    expect(video).toBe(recorded(noon, noon + 1_000).slice(1));
    expect(targetOf(begun, `/${video}`)).toBe(`/${video}`);
    expect(sharedPaths({ ...begun, until: noon + 500 }, noon + 10).video).toBeUndefined();
  });

  test('has nothing before its period, and no live picture after it', () => {
    expect(sharedPaths(camera, noon - 2 * hour)).toEqual({});
    expect(Object.keys(sharedPaths(camera, noon))).toEqual(['video', 'thumbnail', 'live', 'download']);
    expect(Object.keys(sharedPaths(camera, noon + 2 * hour))).toEqual(['video', 'thumbnail', 'download']);
  });
});

const name = fc.constantFrom(
  'front',
  'garage',
  'events',
  'event',
  'vod',
  'api',
  'clip',
  'a b',
  'ü',
  '1-a',
  'latest.jpg',
);
const moment = fc.integer({ min: noon / 1000 - 200_000, max: noon / 1000 + 200_000 });
/** Long enough for several parts, and around the times of the requests. */
const length = fc.integer({ min: 1, max: 400_000 });
const shared: fc.Arbitrary<SharedMedia> = fc.oneof(
  fc.record({ kind: fc.constant('event' as const), id: name, hasClip: fc.boolean() }),
  fc.record({ kind: fc.constant('export' as const), video: name, thumbnail: name }),
  fc.record({ camera: name, from: moment, length }).map(({ camera, from, length }) => ({
    kind: 'camera' as const,
    camera,
    from: from * 1000,
    until: (from + length) * 1000,
  })),
);
const word = fc.oneof(
  name,
  moment.map(String),
  fc.constantFrom(
    'start',
    'end',
    'recordings',
    'snapshot.jpg',
    'master.m3u8',
    'clip.mp4',
    'thumbnail.jpg',
    'exports',
  ),
);

/** A part of the share, with at most one word changed; or any words. */
const asked: fc.Arbitrary<{
  readonly media: SharedMedia;
  readonly at: number;
  readonly words: readonly string[];
}> = fc
  .record({
    media: shared,
    at: moment,
    words: fc.array(word, { maxLength: 7 }),
    other: word,
    place: fc.nat(),
  })
  .chain(({ media, at, words, other, place }) => {
    const parts = Object.values(sharedPaths(media, at * 1000)).map((path) =>
      path.split('/').map(decodeURIComponent),
    );
    const changed = parts.map((part) => part.with(place % part.length, other));
    return fc.record({
      media: fc.constant(media),
      at: fc.constant(at),
      words: fc.constantFrom(words, ...parts, ...changed),
    });
  });

describe('any share', () => {
  test('only offers its own parts to a page', () => {
    assertCases(
      fc.property(shared, moment, (media, at) => {
        for (const path of Object.values(sharedPaths(media, at * 1000)))
          expect(targetOf(media, `/${path}`, at * 1000)).toBe(`/${path}`);
      }),
      { reaching: 0.4 },
    );
  });

  test('sends the recorder a target that is part of it too', () => {
    assertCases(
      fc.property(asked, ({ media, words, at }) => {
        const sent = `/${words.map(encodeURIComponent).join('/')}`;
        const target = targetOf(media, sent, at * 1000);
        if (target === undefined) return;
        expect(targetOf(media, target, at * 1000)).toBe(target);
        expect(canonicalUri(target)).toEqual(canonicalUri(sent));
        if (media.kind === 'camera') {
          expect(words[1]).toBe(media.camera);
          for (const time of words.filter((text) => /^\d{9,}$/.test(text))) {
            expect(Number(time) * 1000).toBeGreaterThanOrEqual(media.from);
            expect(Number(time) * 1000).toBeLessThanOrEqual(media.until);
          }
        } else if (media.kind === 'event') expect(words[2]).toBe(media.id);
        else expect([media.video, media.thumbnail]).toContain(words.at(-1));
      }),
      { numRuns: 1_000, reaching: 0.1 },
    );
  });

  test('has no parts of another of its kind', () => {
    assertCases(
      fc.property(shared, name, moment, (media, other, at) => {
        const paths = Object.values(sharedPaths(media, at * 1000));
        const elsewhere: SharedMedia =
          media.kind === 'event'
            ? { ...media, id: `${other}x` }
            : media.kind === 'export'
              ? { ...media, video: `${other}x`, thumbnail: `${other}y` }
              : { ...media, camera: `${other}x` };
        for (const path of paths) expect(targetOf(elsewhere, `/${path}`, at * 1000)).toBeUndefined();
      }),
      { reaching: 0.4 },
    );
  });
});
