import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditRecord } from '../../src/audit/audit-query.ts';
import { adminOf, goodPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { outputOf } from '../support/postern-command.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startNginxFor, type RunningNginx } from '../support/start-nginx.ts';

const config = {
  auth: { roles: { operator: ['garage'] }, failed_login_rate_limit: null },
  cameras: ['front_door', 'garage'],
};
const command = (directory: string, args: readonly string[], input = '') =>
  outputOf(directory, args, { input, environment: { TZ: 'Europe/Berlin' } });

interface Page {
  readonly records: readonly AuditRecord[];
  readonly next: number | null;
}

let gateway: RunningGateway;
let nginx: RunningNginx;
let address: string;
let admin: Visitor;
let vera: Visitor;

beforeAll(async () => {
  gateway = await startGateway({ config });
  nginx = await startNginxFor(gateway);
  await userOf(await adminOf(gateway), gateway.addresses.authenticated ?? '', 'vera', 'viewer');
});
afterAll(async () => {
  await nginx.close();
  await gateway.close();
});

/** All that follows goes through this front. */
async function goThrough(front: 'embedded front' | 'nginx'): Promise<void> {
  address = front === 'nginx' ? nginx.authenticated : (gateway.addresses.authenticated ?? '');
  admin = await adminOf(gateway, address);
  vera = visitor(address);
  await vera.logIn('vera', goodPassword);
}

const read = async (query = ''): Promise<Page> => {
  const { status, body } = await admin.send('GET', `/postern/api/audit${query}`);
  expect([status, status === 200 ? '' : body]).toEqual([200, '']);
  return JSON.parse(body) as Page;
};
/** @returns what an action adds to the audit and to the log, oldest first */
const recordedBy = async (deed: () => Promise<unknown>) => {
  const before = (await read('?limit=1')).records[0]?.id ?? 0;
  const lines = gateway.log.length;
  const done = await deed();
  const isDone = typeof done === 'object' && done !== null && 'status' in done && Number(done.status) < 400;
  // A refusal is written up to 250 milliseconds later, by a timer of this very process; what was done, before its answer.
  if (!isDone) await new Promise((resolve) => setTimeout(resolve, 300));
  const { records } = await read('?limit=500');
  return {
    records: records.filter(({ id }) => id > before).toReversed(),
    lines: gateway.log.slice(lines).filter(({ event }) => event !== undefined),
  };
};
const byAdmin = { user: 'admin', role: 'admin', source: 'session', address: '127.0.0.1' };
const decision = expect.stringMatching(/^[0-9a-f]{8}-\w+$/) as string;
const none = { user: null, role: null, source: null, address: '127.0.0.1', decision: null };
const uploader = () => visitor(address);

const deeds: ReadonlyArray<
  readonly [
    event: string,
    deed: () => Promise<{ readonly status: number }>,
    status: number,
    said: object,
    line: object,
  ]
> = [
  [
    'login',
    () => uploader().logIn('vera', goodPassword),
    200,
    {
      result: 'success',
      user: 'vera',
      role: 'viewer',
      source: 'password',
      address: '127.0.0.1',
      object: null,
    },
    { msg: 'login', user: 'vera', role: 'viewer', address: '127.0.0.1' },
  ],
  [
    'login_failed',
    () => uploader().logIn('vera', 'a wrong password'),
    401,
    { ...none, result: 'failure', user: 'vera', reason: 'wrong_password' },
    { msg: 'login refused', user: 'vera', code: 'login_failed', address: '127.0.0.1' },
  ],
  [
    'login_failed',
    () => uploader().logIn('no.such.user', 'a wrong password'),
    401,
    { ...none, result: 'failure', reason: 'user_unknown' },
    { msg: 'login refused', code: 'login_failed', address: '127.0.0.1' },
  ],
  [
    'refused',
    () =>
      uploader().send('POST', '/api/login', { user: 'vera', password: 'x' }, [
        ['Origin', 'https://evil.test'],
      ]),
    403,
    { ...none, result: 'failure', object: '/api/login', reason: 'cross_site' },
    { msg: 'refused', path: '/api/login', reason: 'cross_site' },
  ],
  [
    'refused',
    () => vera.send('GET', '/api/users?secret=s3cret'),
    403,
    {
      result: 'failure',
      user: 'vera',
      role: 'viewer',
      source: 'session',
      address: '127.0.0.1',
      object: '/api/users',
      reason: 'admin_only',
      decision,
      reason_meaning: 'only admins may do this',
    },
    { msg: 'refused', verdict: 'forbidden', user: 'vera', path: '/api/users', method: 'GET', decision },
  ],
  [
    'refused',
    () => uploader().send('GET', '/vod/garage?secret=s3cret'),
    401,
    { ...none, decision, object: '/vod/garage', reason: 'no_session' },
    { msg: 'refused', verdict: 'unauthenticated', path: '/vod/garage', decision },
  ],
  [
    'user_added',
    () => admin.send('POST', '/api/users', { username: 'olaf', password: goodPassword, role: 'operator' }),
    201,
    { ...byAdmin, result: 'success', object: 'olaf', decision, detail: { role: 'operator' } },
    { msg: 'user added', user: 'olaf', role: 'operator', by: 'admin' },
  ],
  [
    'user_role_changed',
    () => admin.send('PUT', '/api/users/olaf/role', { role: 'viewer' }),
    200,
    { ...byAdmin, object: 'olaf', decision, detail: { role: 'viewer' } },
    { msg: 'role changed', user: 'olaf', role: 'viewer', by: 'admin' },
  ],
  [
    'password_changed',
    () => admin.send('PUT', '/api/users/olaf/password', { password: `${goodPassword}2` }),
    200,
    { ...byAdmin, object: 'olaf', decision, detail: { api_tokens_ended: 0 } },
    { msg: 'password changed', user: 'olaf', by: 'admin' },
  ],
  [
    'password_change_refused',
    () => vera.send('PUT', '/api/users/vera/password', { password: goodPassword, old_password: 'wrong' }),
    403,
    { user: 'vera', object: 'vera', result: 'failure', reason: 'wrong_password', decision },
    { msg: 'password change refused', user: 'vera', code: 'login_failed' },
  ],
  [
    'refused',
    () => vera.send('PUT', '/api/users/olaf/password', { password: goodPassword, old_password: 'wrong' }),
    403,
    { user: 'vera', object: '/api/users/olaf/password', result: 'failure', reason: 'forbidden', decision },
    { msg: 'refused', path: '/api/users/olaf/password', user: 'vera' },
  ],
  [
    'user_removed',
    () => admin.send('DELETE', '/api/users/olaf'),
    200,
    { ...byAdmin, object: 'olaf', decision },
    { msg: 'user removed', user: 'olaf', by: 'admin' },
  ],
  [
    'role_defined',
    () => admin.send('PUT', '/postern/api/roles/street', { cameras: ['front_door'] }),
    200,
    { ...byAdmin, object: 'street', decision, detail: { cameras: ['front_door'] } },
    { msg: 'role defined', role: 'street', cameras: ['front_door'], by: 'admin' },
  ],
  [
    'role_removed',
    () => admin.send('DELETE', '/postern/api/roles/street'),
    200,
    { ...byAdmin, object: 'street', decision, detail: { reassigned: 0 } },
    { msg: 'role removed', role: 'street', reassigned: 0, by: 'admin' },
  ],
  [
    'logout',
    () => vera.send('POST', '/api/logout'),
    303,
    { result: 'success', user: 'vera', role: 'viewer', source: 'session', address: '127.0.0.1' },
    { msg: 'logout', user: 'vera' },
  ],
];

/** A front takes part in them; the others are the gate's own. */
const refusalsAndLogins = deeds.filter(([event]) => event === 'refused' || event.startsWith('login'));

describe.each([
  ['nginx', refusalsAndLogins],
  ['embedded front', deeds],
] as const)('through the %s', (front, ofFront) => {
  beforeAll(() => goThrough(front));

  test.each(ofFront)('%s has one record and one line', async (event, deed, status, said, line) => {
    let answered = 0;
    const { records, lines } = await recordedBy(async () => {
      const answer = await deed();
      answered = answer.status;
      return answer;
    });
    expect(answered).toBe(status);
    expect(records).toMatchObject([{ event, ...said }]);
    expect(lines).toMatchObject([{ event, level: 'info', ...line }]);
  });
});

test('refusals of the events app are recorded too', async () => {
  const olaf = await userOf(admin, address, 'looker', 'operator');
  const [{ id }] = JSON.parse((await admin.send('GET', '/api/events?cameras=front_door')).body) as [
    { id: string },
  ];
  const { records, lines } = await recordedBy(() => olaf.send('GET', `/api/event_ids?ids=${id}`));
  const object = '/api/event_ids';
  const reason = 'camera_not_granted';
  expect(records).toMatchObject([
    { event: 'refused', user: 'looker', role: 'operator', address: '127.0.0.1', object, reason },
  ]);
  expect(lines).toMatchObject([{ msg: 'refused', user: 'looker', path: object, reason }]);
});

test('a refusal can be explained by the decision in its record', async () => {
  const { records } = await recordedBy(() => uploader().send('GET', '/vod/garage'));
  const explained = await admin.send('POST', '/postern/api/explain', { decision: records[0]?.decision });
  expect(JSON.parse(explained.body)).toMatchObject({ reason: 'no_session' });
});

test('a reload is on record, and one that fails too', async () => {
  const { records, lines } = await recordedBy(() => gateway.reloading.reload('a test'));
  expect(records).toMatchObject([
    {
      event: 'configuration_reloaded',
      source: 'system',
      detail: { cause: 'a test', hash: expect.any(String) },
    },
  ]);
  expect(lines).toMatchObject([{ msg: 'configuration reloaded', cause: 'a test' }]);
});

test('the command adds its records while the server runs, and reads those of both', async () => {
  const { records } = await recordedBy(() =>
    command(gateway.directory, ['users', 'add', 'nell'], `${goodPassword}\n`),
  );
  const root = userInfo().username;
  expect(records).toMatchObject([
    {
      event: 'user_added',
      user: root,
      source: 'cli',
      address: null,
      object: 'nell',
      detail: { role: 'viewer' },
    },
  ]);
  const table = await command(gateway.directory, ['audit', '--limit', '2', '--since', '1h']);
  expect(table.split('\n')[0]).toMatch(/^TIME +EVENT +RESULT +WHO +FROM +ON +REASON +DECISION +DETAIL$/);
  expect(table.trim().split('\n').at(-1)).toMatch(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[12]:00 +user_added +success +\S+ +\(command\) +nell/,
  );
  const json = await command(gateway.directory, [
    'audit',
    '--json',
    '--user',
    'vera',
    '--event',
    'login,logout',
  ]);
  const listed = json
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditRecord);
  expect(new Set(listed.map(({ event }) => event))).toEqual(new Set(['login', 'logout']));
  expect(listed.every(({ user }) => user === 'vera')).toBe(true);
  expect(listed.map(({ id }) => id)).toEqual(listed.map(({ id }) => id).sort((a, b) => a - b));
});

test('an invalid filter is 422, and says why', async () => {
  const { status, body } = await admin.send('GET', '/postern/api/audit?limit=501');
  expect(status).toBe(422);
  const { detail } = JSON.parse(body) as { detail: Array<{ loc: string[]; msg: string }> };
  expect(detail).toMatchObject([{ loc: ['query', 'limit'], msg: expect.stringContaining('1 to 500') }]);
});

test('it is for admins, and no one changes or removes a record', async () => {
  const other = await userOf(admin, address, 'other', 'viewer');
  expect((await other.send('GET', '/postern/api/audit')).status).toBe(403);
  expect((await visitor(address).send('GET', '/postern/api/audit')).status).toBe(401);
  const { records } = await read('?limit=1');
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    for (const path of ['/postern/api/audit', `/postern/api/audit/${records[0]?.id}`]) {
      expect((await admin.send(method, path, {})).status).toBe(404);
    }
  }
  expect(await command(gateway.directory, ['audit', '--help'])).not.toMatch(/delete|remove|change|clear/i);
});
