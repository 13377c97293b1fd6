import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { adminOf, userOf, visitor, type Visitor } from '../../support/log-in.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';
import { startGateway, type RunningGateway } from '../../support/start-gateway.ts';

let gateway: RunningGateway;
let internal: Visitor;
let admin: Visitor;
let viewer: Visitor;
let family: Visitor;
beforeAll(async () => {
  gateway = await startGateway({
    config: {
      cameras: ['front_door', 'garage'],
      auth: {
        roles: { family: ['front_door'], careful: ['garage'], former: ['garage'], guest: ['garage'] },
        role_windows: {
          former: { until: '2001-01-01' },
          guest: { from: '2020-01-01', hours: '00:00-24:00', history: 'from' },
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
    [{ ...get('/api/config'), role: 'viewer' }, 'forbidden', 'admin_only'],
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
    meaning: 'the role is not granted a camera of this resource',
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

test('explains the schedule of a role, and whether it is open', async () => {
  const stepsOf = async (role: string, uri: string) => {
    const { body } = await ask({ ...get(uri), role });
    return (body['steps'] as ReadonlyArray<{ step: string; says: string }>)
      .filter(({ step }) => step === 'window' || step === 'query')
      .map(({ says }) => says);
  };
  const zone = Temporal.Now.timeZoneId();
  expect(await stepsOf('former', '/api/garage/latest.jpg')).toEqual([
    `the window of the role: until 2001-01-01, in the time zone ${zone}; at this moment it is closed`,
  ]);
  const window = `the window of the role: from 2020-01-01, hours 00:00-24:00, history from, in the time zone ${zone}; at this moment it is open`;
  const since = `narrowed to what was recorded since ${new Date(2020, 0, 1).toISOString()}`;
  expect(await stepsOf('guest', '/api/events')).toEqual([
    window,
    'narrowed to garage, which are granted',
    since,
  ]);
  expect(await stepsOf('guest', '/api/garage/recordings')).toEqual([window, since]);
  expect(await stepsOf('family', '/api/front_door/latest.jpg')).toEqual([]);
});

test('explains a narrowed query, beforehand and afterwards', async () => {
  const query = { step: 'query', says: 'narrowed to front_door, which are granted' };
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
      { step: 'record', says: expect.stringContaining('does not remember') as unknown },
      { step: 'uri', says: 'GET /api/config' },
    ]) as unknown,
  });
  const another = await asking.send('POST', '/postern/api/explain', { decision: `${id}x` });
  expect(another.status).toBe(404);
});
