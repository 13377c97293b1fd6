import { rolesOf } from '../../support/roles.ts';
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { searchLimits } from '../../../src/events/event-search.ts';
import { createEventsApp, type RefusedLookup } from '../../../src/events/events-app.ts';
import { eventColumns, type EventRecord } from '../../../src/events/event-record.ts';
import { recorderDatabase, type RecorderDatabase } from '../../../src/events/recorder-database.ts';
import { accessOfRole } from '../../../src/policy/role-access.ts';
import { createRoundRobin, type RoundRobin, type Sliced } from '../../../src/round-robin.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { mostInOneTurn } from '../../support/turns.ts';
import { recorderFile, type RecorderFile } from './recorder-file.ts';

const roles = rolesOf([
  ['family', new Set(['front', 'garden'])],
  ['nothing', new Set<string>()],
]);
let file: RecorderFile;
let database: RecorderDatabase;
let log: Array<Record<string, unknown>>;
let refusals: RefusedLookup[];
let roundRobin: RoundRobin;
beforeEach(() => {
  file = recorderFile();
  database = recorderDatabase(file.path);
  log = [];
  refusals = [];
  roundRobin = createRoundRobin();
  file.addEvent({ id: 'f1', camera: 'front', start_time: 10 });
  file.addEvent({ id: 'f2', camera: 'front', start_time: 40, label: 'dog' });
  file.addEvent({ id: 'g1', camera: 'garden', start_time: 30 });
  file.addEvent({ id: 's1', camera: 'secret_room', start_time: 20 });
});
afterEach(() => {
  database.close();
  file.remove();
});

async function ask(uri: string, role = 'family', headers: Readonly<Record<string, string>> = {}) {
  const write = (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>);
  const app = createEventsApp({
    database,
    roundRobin,
    grantOf: (name) => accessOfRole(name, roles).cameras,
    onRefused: (refused) => void refusals.push(refused),
    logger: createLogger('debug', { write }),
  });
  const answer = await app.request(uri, {
    headers: { 'remote-user': 'olaf', 'remote-role': role, ...headers },
  });
  const body: unknown = await answer.json();
  const ids = Array.isArray(body) ? (body as EventRecord[]).map(({ id }) => id) : undefined;
  return { status: answer.status, body, ids, headers: answer.headers };
}

test.each<[uri: string, ids: readonly string[], role?: string]>([
  ['/api/event_ids?ids=f1', ['f1']],
  ['/api/event_ids?ids=g1,f1', ['g1', 'f1']],
  ['/api/event_ids?ids=f2,g1&ids=f1', ['f2', 'g1', 'f1']],
  ['/api/event_ids?ids=g1,%20f1%20,,g1&ids=f1', ['g1', 'f1']],
  ['/api/event_ids?ids=unknown,f1', ['f1']],
  ['/api/event_ids?ids=unknown', []],
  ['/api/event_ids?ids=unknown', [], 'nothing'],
  ['/api/event_ids?ids=s1,f1', ['s1', 'f1'], 'viewer'],
  ['/api/event_ids?ids=s1', ['s1'], 'admin'],
  ['/api/event_ids?ids=f1,g1&cameras=garden', ['g1']],
  ['/api/event_ids?ids=f1,g1&cameras=garden,front', ['f1', 'g1']],
  ['/api/event_ids?ids=f1,g1&cameras=', ['f1', 'g1']],
  ['/api/event_ids?ids=s1,f1&cameras=unknown', [], 'viewer'],
  ['/api/events', ['f2', 'g1', 'f1']],
  ['/api/events', ['f2', 'g1', 's1', 'f1'], 'viewer'],
  ['/api/events', [], 'nothing'],
  ['/api/events', [], 'undefined_role'],
  ['/api/events?cameras=front', ['f2', 'f1']],
  ['/api/events?label=dog', ['f2']],
  ['/api/events?labels=dog,cat', ['f2']],
  ['/api/events?labels=dog,person', ['f2', 'g1', 's1', 'f1'], 'viewer'],
  ['/api/events?after=10&before=40', ['g1']],
  ['/api/events?after=10&before=40', ['g1', 's1'], 'viewer'],
  ['/api/events?before=30', ['f1']],
  ['/api/events?before=30&before_id=zzz', ['g1', 'f1']],
  ['/api/events?before=30&before_id=a', ['f1']],
  ['/api/events?limit=1', ['f2']],
])('%s: %j %s', async (uri, ids, role) => {
  expect(await ask(uri, role)).toMatchObject({ status: 200, ids });
});

test.each<[uri: string, role?: string]>([
  ['/api/event_ids?ids=s1'],
  ['/api/event_ids?ids=f1,s1,g1'],
  ['/api/event_ids?ids=f1,s1&cameras=front'],
  ['/api/event_ids?ids=f1&cameras=secret_room'],
  ['/api/event_ids?ids=f1&cameras=front,no_such_camera'],
  ['/api/event_ids?ids=f1', 'nothing'],
  ['/api/event_ids?ids=f1', 'undefined_role'],
  ['/api/event_ids?ids=f1', 'Admin'],
  ['/api/events?cameras=secret_room'],
  ['/api/events?cameras=front,secret_room'],
])('a camera outside the grant closes the whole answer: %s %s', async (uri, role) => {
  const message = { message: 'Access denied', code: 'forbidden' };
  expect(await ask(uri, role)).toMatchObject({ status: 403, body: message });
  const path = uri.split('?', 1)[0];
  expect(refusals).toEqual([{ user: 'olaf', role: role ?? 'family', forwardedFor: '', path }]);
});

describe('422 lists every problem with its place', () => {
  const missing = { loc: ['query', 'ids'], msg: 'Field required', type: 'missing' };
  test('has the expected shape', async () => {
    const { status, body } = await ask('/api/event_ids');
    // As a recorder answers, without a message of ours.
    expect([status, body]).toEqual([422, { detail: [missing] }]);
  });

  const tooMany = Array.from({ length: 1_001 }, (_, i) => i).join(',');
  test.each<[what: string, uri: string, places: ReadonlyArray<readonly unknown[]>]>([
    ['empty ids', '/api/event_ids?ids=', [['query', 'ids']]],
    ['1,001 ids', `/api/event_ids?ids=${tooMany}`, [['query', 'ids']]],
    ['too many ids for the gate in front', '/api/event_ids?too_many_ids', [['query', 'ids']]],
    ['an id of 65 characters', `/api/event_ids?ids=${'x'.repeat(65)}`, [['query', 'ids']]],
    [
      'two problems',
      '/api/events?limit=0&before=now',
      [
        ['query', 'before'],
        ['query', 'limit'],
      ],
    ],
  ])('%s', async (_, uri, places) => {
    const { status, body } = await ask(uri);
    const { detail } = body as { detail: Array<{ loc: unknown[]; msg: string; type: string }> };
    expect(status).toBe(422);
    expect(new Set(detail.map(({ loc }) => loc.slice(0, 2)))).toEqual(new Set(places));
    for (const { msg, type } of detail)
      expect([msg, type]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
  });
});

test.each<[what: string, headers: Readonly<Record<string, string>>]>([
  ['no user', { 'remote-user': '' }],
  ['no role', { 'remote-role': '' }],
])('401 with %s', async (_, headers) => {
  expect(await ask('/api/event_ids?ids=f1', 'admin', headers)).toMatchObject({ status: 401 });
  expect(await ask('/api/events', 'admin', headers)).toMatchObject({ status: 401 });
});

test('a response has exactly the 17 typed fields', async () => {
  file.addEvent({
    id: 'full',
    zones: '["porch"]',
    data: '{"score":0.5}',
    false_positive: 0,
    sub_label: 'rex',
  });
  const { body } = await ask('/api/event_ids?ids=full');
  const [record] = body as EventRecord[];
  expect(Object.keys(record ?? {})).toEqual(eventColumns);
  expect(record).toMatchObject({
    has_clip: true,
    has_snapshot: false,
    false_positive: false,
    end_time: null,
  });
  expect(record).toMatchObject({
    zones: ['porch'],
    data: { score: 0.5 },
    sub_label: 'rex',
    start_time: 100.5,
  });
});

test.each<
  [what: string, event: Readonly<Record<string, string | number | bigint>>, fields: readonly string[]]
>([
  ['zones and data', { zones: '[', data: 'x' }, ['zones', 'data']],
  ['a time', { end_time: 'later' }, ['end_time']],
  ['a time of nanoseconds', { end_time: 1_793_000_276_376_447_123n }, ['end_time']],
])('a bad row spoils nothing but its field: %s', async (_, event, fields) => {
  file.addEvent({ id: 'bad', ...event });
  expect(await ask('/api/event_ids?ids=f1,bad,g1')).toMatchObject({ status: 200, ids: ['f1', 'bad', 'g1'] });
  const told = log.filter(({ level }) => level === 'warn').map(({ event: id, field }) => [id, field]);
  expect(told).toEqual(fields.map((field) => ['bad', field]));
});

test.each<[what: string, spoil: () => void]>([
  ['missing', () => rmSync(file.path)],
  ['locked', () => file.recorder.exec('BEGIN EXCLUSIVE')],
  ["not a recorder's", () => file.recorder.exec('DROP TABLE event')],
])('503 when the database is %s; the state has its own line in the log', async (_, spoil) => {
  spoil();
  for (const uri of ['/api/event_ids?ids=f1', '/api/events']) {
    const body = { message: "The event database can't be read", code: 'events_unavailable' };
    expect(await ask(uri)).toMatchObject({ status: 503, body });
  }
  expect(log).toEqual([]);
});

describe('where a list continues', () => {
  test.each<[uri: string, link: string | null, role?: string]>([
    ['/api/events', null],
    ['/api/events?limit=1', '<?limit=1&before=40&before_id=f2>; rel="next"'],
    ['/api/events?limit=1&before=35', '<?limit=1&before=30&before_id=g1>; rel="next"'],
    ['/api/events?limit=1&before=30&before_id=g1', null],
    ['/api/events?limit=1&before=30&before_id=g1', '<?limit=1&before=20&before_id=s1>; rel="next"', 'viewer'],
    [
      '/api/events?limit=1&labels=person,dog&after=20',
      '<?limit=1&labels=person%2Cdog&after=20&before=40&before_id=f2>; rel="next"',
    ],
    ['/api/events?limit=1&label=dog', '<?limit=1&label=dog&before=40&before_id=f2>; rel="next"', 'admin'],
    [
      '/api/events?limit=1&cameras=front,garden',
      '<?limit=1&cameras=front%2Cgarden&before=40&before_id=f2>; rel="next"',
    ],
    ['/api/event_ids?ids=f1', null],
  ])('%s: %s', async (uri, link, role) => {
    const { status, headers } = await ask(uri, role);
    expect([status, headers.get('content-type'), headers.get('link')]).toEqual([
      200,
      'application/json',
      link,
    ]);
  });

  test('one that ends early continues at a minute, and is complete in the end', async () => {
    const crowd = searchLimits.inAll + 500;
    file.recorder.exec('PRAGMA synchronous = OFF; BEGIN');
    for (let n = 0; n < crowd; n += 1)
      file.addEvent({ id: `s${n + 100}`, camera: 'secret_room', start_time: 1_000 + n });
    for (let n = 0; n < searchLimits.atOnce; n += 1)
      file.addEvent({ id: `old${n}`, camera: 'front', start_time: -n });
    file.recorder.exec('COMMIT');
    const first = await ask('/api/events?limit=3');
    expect(first.ids).toEqual([]);
    const link = first.headers.get('link') ?? '';
    expect(link).toMatch(/^<\?limit=3&before=\d+>; rel="next"$/);
    const second = await ask(`/api/events${link.slice(1, link.indexOf('>'))}`);
    expect(second.ids).toEqual(['f2', 'g1', 'f1']);
  });
});

describe('no request waits long for a list', () => {
  test('a look-up of 1,000 ids runs in slices, with other work in between', async () => {
    file.recorder.exec('PRAGMA synchronous = OFF; BEGIN');
    const ids = Array.from({ length: 1_000 }, (_, n) => `id${n}`);
    for (const id of ids) file.addEvent({ id });
    file.recorder.exec('COMMIT');
    let slices = 0;
    const { eventsById } = database;
    database = {
      ...database,
      eventsById: (some) => {
        slices += 1;
        expect(some.length).toBeLessThanOrEqual(25);
        return eventsById(some);
      },
    };
    const asked = ask(`/api/event_ids?ids=${ids.join(',')}`);
    expect(await mostInOneTurn(asked, () => slices)).toBe(1);
    expect((await asked).ids).toEqual(ids);
    expect(slices).toBe(40);
  });

  test('refuses a user with 64 requests under way; answers others', async () => {
    const endless = function* (): Sliced<never> {
      while (!end.signal.aborted) yield;
      throw new Error('over');
    };
    const end = new AbortController();
    const works = Array.from({ length: 64 }, () => roundRobin.run('olaf', endless()));
    const refused = await ask('/api/events');
    const other = await ask('/api/events', 'family', { 'remote-user': 'nell' });
    end.abort();
    await Promise.allSettled(works);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(other).toMatchObject({ status: 200, ids: ['f2', 'g1', 'f1'] });
    expect(await ask('/api/events')).toMatchObject({ status: 200 });
  });
});

test('omits the thumbnails on request', async () => {
  file.addEvent({ id: 'seen', start_time: 50, thumbnail: 'AAAA' });
  const thumbnails = async (query: string) =>
    ((await ask(`/api/events?limit=1${query}`)).body as EventRecord[]).map(({ thumbnail }) => thumbnail);
  expect(await thumbnails('')).toEqual(['AAAA']);
  expect(await thumbnails('&include_thumbnails=1')).toEqual(['AAAA']);
  expect(await thumbnails('&include_thumbnails=0')).toEqual([null]);
  expect(await ask('/api/events?include_thumbnails=no')).toMatchObject({ status: 422 });
});

test('announces that it has no pictures and clips of events', async () => {
  for (const uri of ['/api/event_ids?ids=f1', '/api/events'])
    expect((await ask(uri)).headers.get('x-postern-media')).toBe('none');
});

test('anything else is not found', async () => {
  expect(await ask('/api/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } });
});
