import { ownRules } from '../../../support/every-endpoint.ts';
import { rolesOf } from '../../../support/roles.ts';
import { describe, expect, test } from 'vitest';
import type { AccessRule } from '../../../../src/policy/access-rule.ts';
import { lockedRules, recorderRules } from '../../../../src/policy/recorder/access-rules.ts';
import type { RequestContext } from '../../../../src/policy/request-context.ts';
import type { Decision } from '../../../../src/policy/decision.ts';
import { evaluate } from '../../../../src/policy/evaluate/evaluate.ts';
import { plainIdentity } from '../../../../src/policy/identity.ts';
import { prepareRules } from '../../../../src/policy/rule-tree.ts';
import { recorderPages, recorderRoutes, releases } from '../../../support/recorder-facts.ts';
import { filtered, known } from '../known-cameras.ts';

// 2026-10-26T07:33:20Z, in seconds.
const since = 1_793_000_000;
const [before, later] = [since - 1, since + 100_000];

// Rows begin at the time in their name.
const timeIn = (name: string) => Number(/\d{10}(?:\.\d+)?/.exec(name)?.[0] ?? Number.NaN);
const operatorRules: readonly AccessRule[] = [
  { path: '/api/config', methods: ['GET'], level: 'any', may: 'shell' },
  { path: '/weather/**', level: 'any', may: 'shell', recorded: 'now' },
  { path: '/archive/**', level: 'any', may: 'shell' },
];
const rules = {
  roles: rolesOf([['neighbour', ['front', 'drive']]], { neighbour: { from: '2026-10-26', history: 'from' } }),
  resolveResource: prepareRules([...ownRules, ...lockedRules, ...operatorRules, ...recorderRules])(
    known(['front', 'drive', 'garage']),
  ),
  recorded: {
    camerasOfEvents: (ids: readonly string[]) => new Map(ids.map((id) => [id, 'front'])),
    camerasOfExport: () => ['front'],
    camerasOfReview: () => ['front'],
  },
  recordedTimes: {
    startsOfEvents: (ids: readonly string[]) => new Map(ids.map((id) => [id, timeIn(id)])),
    // The exports of the pages begin today.
    startsOfExport: (name: string) => [/\d{10}/.test(name) ? timeIn(name) : later],
    startsOfReview: (id: string) => [timeIn(id)],
  },
  internalHosts: new Set<string>(),
  listsAreFiltered: filtered.listsAreFiltered,
  stateOf: () => ({ isOpen: true, until: Number.POSITIVE_INFINITY, since: since * 1_000 }),
  basePath: '',
};

function decide(method: string, uri: string, request: Partial<RequestContext> = {}): Decision {
  return evaluate(
    {
      entryPoint: 'authenticated',
      front: 'embedded',
      method,
      uri,
      headers: [],
      host: 'gate.test',
      secure: true,
      ...request,
    },
    { identity: plainIdentity('nora', 'neighbour', 'session') },
    rules,
  );
}
const reasonOf = (uri: string, method = 'GET') => decide(method, uri).reason;

test('each rule that is open to limited roles has the time of the recording', () => {
  const closed = new Set(['public', 'own-account', 'admin-only', 'unresolved', 'every-camera']);
  const silent = [...ownRules, ...lockedRules, ...recorderRules].filter(
    ({ level, recorded }) => !closed.has(level) && recorded === undefined,
  );
  expect(silent).toEqual([]);
});

describe('a time in the path', () => {
  test.each([
    '/vod/front/start/$/end/1999999999/index.m3u8',
    '/vod/clip/front/start/$/end/1999999999/index.m3u8',
    '/api/vod/front/start/$/end/1999999999',
    '/api/vod/clip/front/start/$/end/1999999999',
    '/api/front/start/$/end/1999999999/clip.mp4',
    '/api/front/start/$/end/1999999999/preview.gif',
    '/api/front/recordings/$/snapshot.jpg?height=500',
    '/api/preview/front/start/$/end/1999999999',
    '/api/preview/front/start/$/end/1999999999/frames',
    '/api/preview/all/start/$/end/1999999999',
    '/api/preview/preview_front-$.webp/thumbnail.webp',
    '/clips/front-$-abcdef.jpg',
    '/clips/thumbs/front/$-abcdef.webp',
    '/clips/previews/front/$-1999999999.5.mp4',
    '/clips/review/thumb-front-$-abcdef.webp',
    '/clips/export/$.webp',
    '/exports/front_$.mp4',
    '/api/exports/front_$',
    '/api/events/$-abcdef',
    '/api/events/$-abcdef/clip.mp4',
    '/api/events/$-abcdef/thumbnail.jpg',
    '/vod/event/$-abcdef/master.m3u8',
    '/api/event_ids?ids=1999999999-a,$-abcdef',
    '/api/review/$-abcdef',
    '/api/review/$-abcdef/preview?format=mp4',
    '/api/review_ids?ids=$-abcdef,1999999999-a',
    '/api/timeline?source_id=$-abcdef',
  ])('%s', (uri) => {
    const at = (time: string) => reasonOf(uri.replace('$', time));
    expect([at(`${since}`), at(`${since}.5`), at(`${later}`)]).toEqual(['allowed', 'allowed', 'allowed']);
    expect([at(`${before}.999`), at('1000000000')]).toEqual(['before_schedule', 'before_schedule']);
  });

  test.each([
    '/vod/front/start/$/end/#/index.m3u8',
    '/vod/clip/front/start/$/end/#/index.m3u8',
    '/api/front/start/$/end/#/clip.mp4',
    '/api/preview/front/start/$/end/#',
    '/api/preview/all/start/$/end/#',
  ])('both ends count, since recorders may swap them: %s', (path) => {
    const until = (end: string) => reasonOf(path.replace('$', `${later}`).replace('#', end));
    expect(until(`${since}`)).toBe('allowed');
    expect([until(`${before}`), until('0'), until('-1'), until('x')]).toEqual([
      'before_schedule',
      'before_schedule',
      'time_unreadable',
      'time_unreadable',
    ]);
  });

  test('is refused without an end', () => {
    for (const uri of [`/api/front/start/${later}`, `/vod/front/start/${later}/x/1/index.m3u8`])
      expect(reasonOf(uri), uri).toBe('time_unreadable');
  });

  test.each([
    '1e10',
    '-1',
    '+1793000001',
    '0x6adf0001',
    '1793000001.',
    '1793000001,2',
    'NaN',
    'now',
    '',
    ' ',
  ])('is refused in another form: %j', (time) => {
    for (const uri of [
      '/api/front/start/$/end/1999999999/clip.mp4',
      '/api/front/recordings/$/snapshot.jpg',
    ]) {
      const { outcome } = decide('GET', uri.replace('$', encodeURIComponent(time)));
      expect(outcome).toBe('forbidden');
    }
  });

  test('of an hour is in the time zone that is ahead of all others', () => {
    // 07:33:20Z is 21:33:20 there.
    expect(reasonOf('/vod/2026-10/26/21/front/utc/index.m3u8')).toBe('before_schedule');
    expect(reasonOf('/vod/2026-10/26/22/front/utc/index.m3u8')).toBe('allowed');
    expect(reasonOf('/api/vod/2026-10/26/22/front')).toBe('allowed');
    expect(reasonOf('/api/preview/2026-10/26/21/front/utc')).toBe('before_schedule');
    expect(reasonOf('/api/preview/2026-10/26/22/all/utc')).toBe('allowed');
    for (const hour of ['2026-10/26/24', '2026-13/26/12', '2026-10/32/12', '2026-10/26/x', '20261/0/12'])
      expect(reasonOf(`/vod/${hour}/front/utc/index.m3u8`), hour).toBe('time_unreadable');
  });

  test('of a segment is UTC, to the second for a file', () => {
    expect(reasonOf('/recordings/2026-10-26/07/front/33.20.mp4')).toBe('allowed');
    expect(reasonOf('/recordings/2026-10-26/07/front/33.19.mp4')).toBe('before_schedule');
    expect(reasonOf('/recordings/2026-10-26/07/front/')).toBe('before_schedule');
    expect(reasonOf('/recordings/2026-10-26/08/front/')).toBe('allowed');
    expect(reasonOf('/recordings/2026-10-26/07/front/x/59.59.mp4')).toBe('before_schedule');
    expect(reasonOf('/recordings/2026-10/25/front/21/33.20.mp4')).toBe('time_unreadable');
  });

  test('of a file is the earliest in its name, and required', () => {
    expect(reasonOf(`/clips/previews/front/${before}-${later}.mp4`)).toBe('before_schedule');
    expect(reasonOf('/clips/thumbs/front/none.webp')).toBe('time_unreadable');
    expect(reasonOf('/clips/front-none.jpg')).toBe('time_unreadable');
  });
});

describe('a clip that begins before its event', () => {
  const clip = (query: string) => reasonOf(`/api/events/${since + 10}-abcdef/clip.mp4?${query}`);
  test.each([
    ['padding=10', 'allowed'],
    ['padding=11', 'before_schedule'],
    ['padding=-11', 'time_unreadable'],
    ['padding=1e3', 'time_unreadable'],
    ['padding=1&padding=3600', 'time_unreadable'],
    ['Padding=3600', 'time_unreadable'],
    ['p%61dding=3600', 'time_unreadable'],
    ['padding[]=3600', 'time_unreadable'],
    ['x=1;padding=3600', 'time_unreadable'],
    ['x=1%26padding=3600', 'time_unreadable'],
    ['download=true', 'allowed'],
  ])('%s: %s', (query, reason) => {
    expect(clip(query)).toBe(reason);
  });
});

describe('a list', () => {
  const lists = [
    '/api/events',
    '/api/events/search',
    '/api/review',
    '/api/review/activity/motion',
    '/api/recordings/unavailable',
    '/api/timeline/hourly',
    '/api/front/recordings',
  ];
  const target = (uri: string, narrows = true) => {
    const decision = decide('GET', uri, narrows ? {} : { front: 'forward-auth' });
    return decision.outcome === 'allow' ? (decision.narrowed ?? uri) : decision.reason;
  };
  const after = (uri: string) =>
    new URL(target(uri), 'http://gate.test').searchParams.getAll('after').join(' ');

  test.each(lists)('%s gets `after` if the front narrows, and needs it otherwise', (path) => {
    expect(after(path)).toBe(`${since}`);
    expect(after(`${path}?limit=5`)).toBe(`${since}`);
    expect(after(`${path}?after=${before}&limit=5`)).toBe(`${since}`);
    expect(after(`${path}?after=${later}.5`)).toBe(`${later}.5`);
    const named = `${path}?cameras=front&after=`;
    expect([
      target(`${named}${since}`, false),
      target(`${named}${before}.9`, false),
      target(path, false),
    ]).toEqual([`${named}${since}`, 'before_schedule', 'time_unreadable']);
  });

  test.each([
    `after=${later}&after=0`,
    `After=0&after=${later}`,
    `after=${later}&after[]=0`,
    `after=${later}&%61fter=0`,
    `+after=0&after=${later}`,
    'after=',
    'after=x',
    'after=-1',
    'after=9e9',
    'after',
  ])('/api/events?%s gets one plain `after`, or is refused', (query) => {
    const narrowed = target(`/api/events?cameras=front&${query}`);
    expect(narrowed).toBe(`/api/events?cameras=front&after=${since}`);
    expect(target(`/api/events?cameras=front&${query}`, false)).toBe('time_unreadable');
  });

  test.each([`after=${later};after=0`, `x=1%26after=0&after=${later}`, `after=${later}?after=0`])(
    '/api/events?%s is refused, since servers may read it differently',
    (query) => {
      expect(target(`/api/events?cameras=front&${query}`)).toBe('time_unreadable');
    },
  );

  test('is narrowed to cameras and times together', () => {
    expect(target('/api/events?cameras=front,garage&limit=3')).toBe(
      `/api/events?cameras=front&limit=3&after=${since}`,
    );
  });

  test.each([
    '/api/events/explore?limit=10',
    '/api/events/summary',
    '/api/review/summary?cameras=front',
    '/api/recordings/summary?cameras=front',
    '/api/front/recordings/summary',
    '/api/exports',
    '/api/jobs/export',
    '/api/labels?camera=front',
    '/api/sub_labels',
    '/api/recognized_license_plates',
    '/api/cases',
    '/api/timeline?camera=front',
    `/api/timeline?source_id=${later}-a&source_id=1-a`,
    '/api/front/person/best.jpg',
    '/api/front/grid.jpg',
    '/api/front/search/motion/1',
    `/api/review/event/${later}-abcdef`,
    '/archive/2020',
  ])('%s covers all times, and is closed', (uri) => {
    expect(reasonOf(uri)).toBe('time_unreadable');
  });
});

test.each([
  '/api/front',
  '/api/front/latest.jpg',
  '/api/front/latest.webp?height=180',
  '/api/front/ptz/info',
  '/live/jsmpeg/front',
  '/live/mse/api/ws?src=front',
  '/api/go2rtc/webrtc?src=front',
  '/api/go2rtc/streams/front',
  '/ws',
  '/',
  '/assets/index.js',
  '/api/version',
  '/api/stats',
  '/api/profile',
  '/weather/today',
  // By a rule of the operator: the recorder's UI requests it at its start.
  '/api/config',
  '/postern/',
  '/postern/api/cameras',
  '/postern/account',
])('live and timeless paths stay open: %s', (uri) => {
  expect(reasonOf(uri)).toBe('allowed');
});

describe('the names in a body', () => {
  const json = ['content-type', 'application/json'];
  const send = (uri: string, body: unknown) =>
    decide('POST', uri, { headers: json, body: Buffer.from(JSON.stringify(body)) }).reason;
  const batch = (start_time: number, image_path?: string, end_time = later) =>
    send('/api/exports/batch', { items: [{ camera: 'front', start_time, end_time, image_path }] });
  const picture = (time: number) => `/media/frigate/clips/review/thumb-front-${time}-abcdef.webp`;

  test('are reviews to mark', () => {
    expect(send('/api/reviews/viewed', { ids: [`${later}-a`] })).toBe('allowed');
    expect(send('/api/reviews/viewed', { ids: [`${later}-a`, `${before}-a`] })).toBe('before_schedule');
    expect(send('/api/reviews/viewed', { ids: ['none'] })).toBe('time_unreadable');
  });

  test('are exports, and their pictures', () => {
    expect([batch(later), batch(before), batch(-1)]).toEqual([
      'allowed',
      'before_schedule',
      'before_schedule',
    ]);
    expect([batch(later, picture(later)), batch(later, picture(before))]).toEqual([
      'allowed',
      'before_schedule',
    ]);
    expect(batch(later, undefined, before)).toBe('before_schedule');
    const one = `/api/export/front/start/${later}/end/1999999999`;
    expect(send(one, { image_path: picture(later) })).toBe('allowed');
    expect(send(one, { image_path: picture(before) })).toBe('before_schedule');
    expect(send(`/api/export/front/start/${before}/end/1999999999`, {})).toBe('before_schedule');
  });

  test('count once the body has been read', () => {
    const decision = decide('POST', '/api/exports/batch', { headers: json, body: 'to-come' });
    expect(decision.reason).toBe('allowed');
  });
});

test('are refused if the times of rows are unknown', () => {
  const { recordedTimes: _, ...blind } = rules;
  const decision = evaluate(
    {
      entryPoint: 'authenticated',
      method: 'GET',
      uri: `/api/events/${later}-abcdef`,
      headers: [],
      host: 'gate.test',
      secure: true,
    },
    { identity: plainIdentity('nora', 'neighbour', 'session') },
    blind,
  );
  expect(decision.reason).toBe('time_unreadable');
});

describe.each(releases)('all routes of a recorder, release %s', (release) => {
  const at = (time: number) =>
    recorderRoutes(release).flatMap(({ method, path }) => {
      const uri = path.replaceAll(/\{(\w+)\}/g, (_, place: string) => placed(place, time));
      const ids = path.endsWith('_ids') ? `?ids=${time}-abcdef` : '';
      const { outcome } = decide(method, uri + ids, { front: 'forward-auth' });
      return outcome === 'allow' ? [`${method} ${path}`] : [];
    });
  const placed = (place: string, time: number) =>
    ({
      camera_name: 'front',
      stream_name: 'front',
      year_month: '2026-10',
      day: '20',
      hour: '10',
      file_name: `preview_front-${time}.webp`,
      extension: 'jpg',
      format: 'jpg',
      end_ts: '1999999999',
      end_time: '1999999999',
      label: 'person',
    })[place] ?? (place.endsWith('_id') ? `${time}-abcdef` : `${time}`);

  test('hide earlier recordings, except live and timeless routes', () => {
    const live = new Set([
      'GET /api/',
      'GET /api/config',
      'GET /api/config/schema.json',
      'GET /api/go2rtc/streams/{stream_name}',
      'GET /api/logout',
      'GET /api/notifications/pubkey',
      'GET /api/plus/models',
      'GET /api/profile',
      'GET /api/profiles',
      'GET /api/stats',
      'GET /api/version',
      'GET /api/{camera_name}',
      'GET /api/{camera_name}/latest.{extension}',
      'GET /api/{camera_name}/ptz/info',
    ]);
    const others = at(before).filter((route) => !live.has(route));
    // Accounts of the gate; a body is refused once it is shown.
    expect(others.filter((route) => !/auth|login|users/.test(route))).toEqual([]);
  });

  test('are open for later recordings', () => {
    expect(at(later)).toEqual(
      expect.arrayContaining([
        'GET /api/events/{event_id}/clip.mp4',
        'GET /api/vod/{camera_name}/start/{start_ts}/end/{end_ts}',
        'GET /api/{camera_name}/recordings/{frame_time}/snapshot.{format}',
      ]),
    );
  });
});

test('only requests for all times are closed on the pages of the recorder’s UI', () => {
  const asked = recorderPages()
    .filter(({ role }) => role === 'neighbour')
    .map(({ method, uri }) => [
      method,
      uri
        .replaceAll('driveway', 'drive')
        .replaceAll('front_door', 'front')
        .replaceAll(/1793\d{6}/g, `${later}`),
    ]);
  const closed = asked
    .filter(
      ([method = '', uri = '']) => decide(method, uri, { body: 'to-come' }).reason === 'time_unreadable',
    )
    .map(([, uri = '']) => uri.split('?', 1)[0]?.replace(`${later}`, '$'));
  expect(new Set(closed)).toEqual(
    new Set([
      '/api/events/explore',
      '/api/exports',
      '/api/labels',
      '/api/recognized_license_plates',
      '/api/recordings/summary',
      '/api/review/event/$.726501-j8ht9l',
      '/api/review/summary',
      '/api/sub_labels',
    ]),
  );
});
