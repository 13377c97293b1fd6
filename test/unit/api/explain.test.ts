import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isUserName } from '../../../src/policy/names.ts';
import { adminOf, userOf, visitor, type Visitor } from '../../support/log-in.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';
import { startGateway, type RunningGateway } from '../../support/start-gateway.ts';

let gateway: RunningGateway;
let internal: Visitor;
let admin: Visitor;
let viewer: Visitor;
let family: Visitor;
let watcher: Visitor;
beforeAll(async () => {
  gateway = await startGateway({
    config: {
      cameras: ['front_door', 'garage'],
      auth: {
        roles: {
          family: ['front_door'],
          careful: ['garage'],
          former: ['garage'],
          guest: ['garage'],
          watcher: ['front_door'],
        },
        role_access: {
          watcher: { may: ['live'] },
          former: { until: '2001-01-01' },
          guest: { may: ['live', 'history'], from: '2020-01-01', hours: '00:00-24:00', history: 'from' },
        },
        second_factor: { required_for: ['careful'] },
      },
    },
  });
  internal = visitor(gateway.addresses.internal ?? '', false);
  const address = gateway.addresses.authenticated ?? '';
  admin = await adminOf(gateway);
  viewer = await userOf(admin, address, 'vera', 'viewer');
  family = await userOf(admin, address, 'olaf', 'family');
  watcher = await userOf(admin, address, 'wanda', 'watcher');
  await userOf(admin, address, 'carla', 'careful');
  await userOf(admin, address, 'bert', 'viewer');
  await admin.send('PUT', '/postern/api/users/bert/blocked', { blocked: true });
});
afterAll(() => gateway.close());

const ask = async (body: unknown, by = internal) => {
  const answer = await by.send('POST', '/postern/api/explain', body);
  return {
    status: answer.status,
    body: JSON.parse(answer.body) as Record<string, unknown>,
    text: answer.body,
  };
};
const get = (uri: string) => ({ method: 'GET', uri });

describe('explains a request', () => {
  test.each<[asked: object, verdict: string, reason: string]>([
    [{ ...get('/api/garage/latest.jpg'), role: 'family' }, 'forbidden', 'camera_not_granted'],
    [{ ...get('/api/front_door/latest.jpg'), role: 'family' }, 'allow', 'allowed'],
    [{ ...get('/api/garage/latest.jpg'), user: 'olaf' }, 'forbidden', 'camera_not_granted'],
    [{ ...get('/api/garage/latest.jpg'), user: 'vera' }, 'allow', 'allowed'],
    [{ ...get('/api/garage/latest.jpg'), user: 'bert' }, 'unauthenticated', 'user_blocked'],
    [{ ...get('/api/garage/latest.jpg'), user: 'carla' }, 'forbidden', 'second_factor_missing'],
    [{ ...get('/api/profile'), user: 'carla' }, 'allow', 'allowed'],
    [{ ...get('/api/garage/latest.jpg'), role: 'careful' }, 'allow', 'allowed'],
    [{ ...get('/api/config'), role: 'viewer' }, 'allow', 'allowed'],
    [{ ...get('/api/config/raw'), role: 'viewer' }, 'forbidden', 'admin_only'],
    [{ ...get('/api/config'), role: 'admin' }, 'allow', 'allowed'],
    [{ ...get('/exports/night-in-the-garage.mp4'), role: 'family' }, 'forbidden', 'camera_not_granted'],
    [get('/api/config'), 'unauthenticated', 'no_session'],
    [
      { ...get('/api/config'), headers: [['Authorization', 'Bearer x.y.z']] },
      'unauthenticated',
      'token_invalid',
    ],
    [{ ...get('/api/config'), edge: 'internal' }, 'allow', 'allowed'],
    [{ ...get('/api/timeline?camera=garage,front_door'), role: 'family' }, 'allow', 'allowed'],
    [
      { ...get('/api/timeline?camera=garage,front_door'), role: 'family', narrows: false },
      'forbidden',
      'camera_not_granted',
    ],
    [{ ...get('/a/../b'), role: 'admin' }, 'forbidden', 'uri_dot_segment'],
  ])('%j: %s, %s', async (asked, verdict, reason) => {
    for (const by of [internal, admin]) {
      expect(await ask(asked, by)).toMatchObject({ status: 200, body: { verdict, reason } });
    }
  });
});

test('an explanation has the user, what is missing and what to do, in the language of its reader', async () => {
  const asked = { ...get('/api/garage/latest.jpg'), user: 'olaf' };
  const said = { user: 'olaf', role: 'family', token_id: null, not_granted: ['garage'] };
  expect((await ask(asked)).body).toMatchObject({
    ...said,
    meaning: 'the role doesn’t include a camera that this is about',
    advice: expect.stringContaining('`auth.roles`') as unknown,
  });
  const german = await internal.send('POST', '/postern/api/explain', asked, [['Accept-Language', 'de-AT']]);
  expect(JSON.parse(german.body)).toMatchObject({
    ...said,
    reason: 'camera_not_granted',
    meaning: 'eine Kamera, um die es geht, gehört nicht zur Rolle',
    steps: expect.arrayContaining([{ step: 'trust', says: 'der Zugang mit Anmeldung' }]) as unknown,
  });
  const refused = await family.send('GET', '/api/garage/latest.jpg');
  const [id = ''] = refused.headers.get('x-postern-decision') ?? [];
  expect((await ask({ decision: id })).body).toMatchObject(said);
  expect((await ask(get('/api/config'))).body).toMatchObject({ user: null, role: null, not_granted: [] });
});

describe('explains what someone wants to do with a camera', () => {
  const camera = 'garage';
  const during = Date.UTC(2000, 5, 1) / 1_000;
  test.each<[asked: object, verdict: string, reason: string]>([
    [{ camera, to: 'live', user: 'olaf' }, 'forbidden', 'camera_not_granted'],
    [{ camera, to: 'live', user: 'vera' }, 'allow', 'allowed'],
    [{ camera, to: 'live', user: 'bert' }, 'unauthenticated', 'user_blocked'],
    [{ camera, to: 'live', user: 'carla' }, 'forbidden', 'second_factor_missing'],
    [{ camera: 'front_door', to: 'history', role: 'watcher' }, 'forbidden', 'role_may_not'],
    [{ camera: 'front_door', to: 'export', role: 'family' }, 'allow', 'allowed'],
    [{ camera: 'front_door', to: 'ptz', role: 'family' }, 'forbidden', 'role_may_not'],
    [{ camera, to: 'ptz', role: 'family' }, 'forbidden', 'camera_not_granted'],
    [{ camera, to: 'ptz', role: 'admin' }, 'allow', 'allowed'],
    [{ camera: '\u{d800}', to: 'live', role: 'family' }, 'forbidden', 'camera_not_granted'],
    [{ camera, to: 'live', role: 'former' }, 'forbidden', 'role_outside_schedule'],
    [{ camera, to: 'live', role: 'former', at: during }, 'allow', 'allowed'],
  ])('%j: %s, %s', async (asked, verdict, reason) => {
    expect(await ask(asked, admin)).toMatchObject({ status: 200, body: { verdict, reason } });
  });

  test.each([
    { camera, to: 'live', role: 'guest', at: 9e12 },
    { camera, to: 'live', role: 'guest', at: Number.MAX_SAFE_INTEGER },
  ])('refuses %j', async (asked) => {
    expect((await ask(asked, admin)).status).toBe(422);
  });

  test('a question about a role is about no account', async () => {
    const { body } = await ask({ camera, to: 'live', role: 'viewer' });
    expect(isUserName(String(body['user']))).toBe(false);
  });

  test('a command to a camera names it, and what is missing', async () => {
    const { body } = await ask({ camera: 'front_door', to: 'ptz', role: 'family' });
    expect(body).toMatchObject({ cameras: ['front_door'], not_granted: [], missing: 'ptz' });
  });

  test('the steps are of the moment that is asked about', async () => {
    const { text } = await ask({ camera, to: 'live', role: 'former', at: during });
    expect(text).toContain('it is open');
  });
});

test('explains the schedule of a role, and whether it is open', async () => {
  const stepsOf = async (role: string, uri: string) => {
    const { body } = await ask({ ...get(uri), role });
    return (body['steps'] as ReadonlyArray<{ step: string; says: string }>)
      .filter(({ step }) => step === 'schedule' || step === 'query')
      .map(({ says }) => says);
  };
  const zone = Temporal.Now.timeZoneId();
  expect(await stepsOf('former', '/api/garage/latest.jpg')).toEqual([
    `the schedule of the role: until 2001-01-01, in the time zone ${zone}; it is closed`,
    'it doesn’t open again by itself',
  ]);
  const schedule = `the schedule of the role: from 2020-01-01, hours 00:00-24:00, history from, in the time zone ${zone}; it is open`;
  const since = `narrowed to recordings since ${new Date(2020, 0, 1).toISOString()}`;
  expect(await stepsOf('guest', '/api/events')).toEqual([
    schedule,
    'narrowed to the granted cameras garage',
    since,
  ]);
  expect(await stepsOf('guest', '/api/garage/recordings')).toEqual([schedule, since]);
  expect(await stepsOf('family', '/api/front_door/latest.jpg')).toEqual([]);
});

test('explains the schedule of an API token, which no role has', async () => {
  const made = await admin.send('POST', '/postern/api/tokens', {
    name: 'former',
    role: 'viewer',
    access: { until: '2001-01-01' },
  });
  const { token } = JSON.parse(made.body) as { token: string };
  const { body } = await ask({
    ...get('/api/garage/latest.jpg'),
    headers: [['Authorization', `Bearer ${token}`]],
  });
  expect(body).toMatchObject({ role: 'viewer', reason: 'role_outside_schedule' });
  expect(body['steps']).toContainEqual({
    step: 'schedule',
    says: `the schedule of the API token: until 2001-01-01, in the time zone ${Temporal.Now.timeZoneId()}; it is closed`,
  });
});

test('explains what a role may not do, beforehand and afterwards', async () => {
  const mayStep = 'allowed: live; needed for the path: history; missing: history';
  const said = {
    reason: 'role_may_not',
    missing: 'history',
    steps: expect.arrayContaining([{ step: 'may', says: mayStep }]) as unknown,
  };
  const uri = '/api/front_door/recordings';
  expect((await ask({ ...get(uri), role: 'watcher' })).body).toMatchObject(said);
  const refused = await watcher.send('GET', uri);
  const [id = ''] = refused.headers.get('x-postern-decision') ?? [];
  expect((await ask({ decision: id })).body).toMatchObject(said);
  expect(gateway.log).toContainEqual(
    expect.objectContaining({ msg: 'refused', decision: id, reason: 'role_may_not', missing: 'history' }),
  );
  await expect
    .poll(async () => (await internal.send('GET', '/postern/api/audit?event=refused&user=wanda')).body)
    .toContain('"missing":"history"');
  // Its body, which nothing has read here, changes nothing.
  const exporting = { method: 'POST', uri: '/api/export/front_door/start/1/end/2' };
  expect((await ask({ ...exporting, role: 'watcher' })).body).toMatchObject({
    reason: 'role_may_not',
    missing: 'export',
  });
  expect((await ask({ ...exporting, role: 'family' })).body).toMatchObject({ reason: 'body_unread' });
  expect((await ask({ ...get('/api/garage/latest.jpg'), role: 'family' })).body).toMatchObject({
    reason: 'camera_not_granted',
    missing: null,
  });
  expect((await ask({ ...get('/api/front_door/latest.jpg'), role: 'watcher' })).body).toMatchObject({
    verdict: 'allow',
    missing: null,
    steps: expect.arrayContaining([
      { step: 'may', says: 'allowed: live; needed for the path: live' },
    ]) as unknown,
  });
});

test('explains a narrowed query, beforehand and afterwards', async () => {
  const query = { step: 'query', says: 'narrowed to the granted cameras front_door' };
  const narrowed = { verdict: 'allow', steps: expect.arrayContaining([query]) as unknown };
  expect((await ask({ ...get('/api/events?label=s3cret'), role: 'family' })).body).toMatchObject(narrowed);
  const answer = await family.send('GET', '/api/events?cameras=garage,front_door&label=s3cret');
  const [id = ''] = answer.headers.get('x-postern-decision') ?? [];
  const { body, text } = await ask({ decision: id });
  expect(body).toMatchObject(narrowed);
  expect(text).not.toContain('s3cret');
});

test('finds a decision by its id, with its steps in order', async () => {
  const refused = await family.send('GET', '/api/garage/latest.jpg?token=s3cret');
  const [id = ''] = refused.headers.get('x-postern-decision') ?? [];
  expect(gateway.log).toContainEqual(expect.objectContaining({ decision: id, reason: 'camera_not_granted' }));
  const { body, text } = await ask({ decision: id });
  expect(body).toMatchObject({ decision: id, verdict: 'forbidden', reason: 'camera_not_granted' });
  const steps = body['steps'] as ReadonlyArray<{ step: string; says: string }>;
  expect(steps.map(({ step }) => step)).toEqual([
    'trust',
    'identity',
    'role',
    'uri',
    'row',
    'may',
    'cameras',
    'verdict',
  ]);
  expect(text).not.toContain('s3cret');
});

test('does not log an explanation as a decision', async () => {
  await ask({ ...get('/api/considered/x'), role: 'family' });
  expect(JSON.stringify(gateway.log)).not.toContain('/api/considered');
});

test.each<[uri: string]>([['/api/version?token=s3cret'], ['/a/../b?token=s3cret']])(
  'repeats neither the query of %s nor a header',
  async (uri) => {
    const headers = [
      ['Authorization', 'Bearer t0ken'],
      ['X-Proxy-Secret', 'gue55ed'],
    ];
    for (const asked of [
      { ...get(uri), headers },
      { ...get(uri), role: 'viewer' },
    ]) {
      expect((await ask(asked)).text).not.toMatch(/s3cret|t0ken|gue55ed/);
    }
  },
);

describe('rejects', () => {
  test.each<[asked: unknown, status: number]>([
    [{ decision: 'none-0' }, 404],
    [{ ...get('/'), user: 'nobody' }, 404],
    [{ ...get('/'), role: 'nobody' }, 422],
    [{}, 422],
    [{ method: 'GET' }, 422],
    [{ camera: 'garage', to: 'live' }, 422],
    [{ camera: 'garage', to: 'everything', role: 'viewer' }, 422],
    [{ camera: 'garage', to: 'live', role: 'viewer', at: 0.5 }, 422],
    [{ ...get('/'), edge: 'outer' }, 422],
    [{ ...get('/'), headers: ['A: b'] }, 422],
    [[], 422],
  ])('%j: %i', async (asked, status) => {
    expect((await ask(asked)).status).toBe(status);
  });

  test('requests of users who are not admins', async () => {
    for (const by of [viewer, family]) expect((await ask(get('/'), by)).status).toBe(403);
    expect((await ask(get('/'), visitor(gateway.addresses.authenticated ?? ''))).status).toBe(401);
  });
});

test('explains a refusal of another process by its audit record, and marks it as such', async () => {
  const former = await startGateway({ directory: temporaryDirectory() });
  const refused = await visitor(former.addresses.authenticated ?? '').send('GET', '/api/config');
  const [id = ''] = refused.headers.get('x-postern-decision') ?? [];
  await former.close();
  const successor = await startGateway({ directory: former.directory, keepConfig: true });
  onTestFinished(() => successor.close());
  const asking = visitor(successor.addresses.internal ?? '', false);
  const explained = await asking.send('POST', '/postern/api/explain', { decision: id });
  expect(JSON.parse(explained.body)).toMatchObject({
    decision: id,
    recorded: true,
    verdict: 'unauthenticated',
    steps: expect.arrayContaining([
      { step: 'record', says: expect.stringContaining('no longer has the decision') as unknown },
      { step: 'uri', says: 'GET /api/config' },
    ]) as unknown,
  });
  const another = await asking.send('POST', '/postern/api/explain', { decision: `${id}x` });
  expect(another.status).toBe(404);
});
