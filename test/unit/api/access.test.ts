import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Capability } from '../../../src/policy/capability.ts';
import { adminOf, userOf, visitor, type Visitor } from '../../support/log-in.ts';
import { startGateway, type RunningGateway } from '../../support/start-gateway.ts';

/** The part of an answer that these tests read. */
interface Answered {
  readonly cameras: readonly string[];
  readonly rows: ReadonlyArray<{
    readonly user?: string;
    readonly role: string;
    readonly users: number;
    readonly may: readonly Capability[];
    readonly granted: readonly string[];
    readonly schedule: { readonly is_open: boolean; readonly turns: number | null } | null;
    readonly access: ReadonlyArray<
      { readonly cameras: readonly string[] } & Readonly<
        Record<Capability, { readonly state: string; readonly reason: string }>
      >
    >;
  }>;
}

let gateway: RunningGateway;
let admin: Visitor;
const people = new Map<string, Visitor>();
beforeAll(async () => {
  gateway = await startGateway({
    config: {
      cameras: ['front_door', 'garage', 'yard'],
      auth: {
        camera_groups: { outside: ['yard'] },
        roles: {
          family: ['front_door'],
          watcher: ['front_door', 'garage'],
          former: ['garage'],
          careful: ['garage'],
        },
        role_access: {
          watcher: { may: ['live'] },
          former: { until: '2001-01-01' },
          gardener: { groups: ['outside'], may: ['live', 'history'], from: '2020-01-01', history: 'from' },
        },
        second_factor: { required_for: ['careful'] },
      },
    },
  });
  const address = gateway.addresses.authenticated ?? '';
  admin = await adminOf(gateway);
  people.set('admin', admin);
  for (const [name, role] of [
    ['vera', 'viewer'],
    ['olaf', 'family'],
    ['wanda', 'watcher'],
    ['fritz', 'former'],
    ['gerda', 'gardener'],
    ['carla', 'careful'],
    ['bert', 'family'],
  ] as const)
    people.set(name, await userOf(admin, address, name, role));
  await admin.send('PUT', '/postern/api/users/bert/blocked', { blocked: true });
});
afterAll(() => gateway.close());

const ask = async (query = '', by = admin) => {
  const { status, body } = await by.send('GET', `/postern/api/access${query}`);
  return { status, body: JSON.parse(body) as Answered };
};

test('there is a row for each role, and one alone for a role', async () => {
  const { body } = await ask();
  expect(body.cameras).toEqual(['front_door', 'garage', 'yard']);
  const all = 'front_door garage yard';
  expect(
    body.rows.map(({ role, users, may, granted }) => [role, users, may.join(' '), granted.join(' ')]),
  ).toEqual([
    ['admin', 1, 'live history export ptz share talk', all],
    ['viewer', 1, 'live history export ptz share talk', all],
    ['family', 2, 'live history export', 'front_door'],
    ['watcher', 1, 'live', 'front_door garage'],
    ['former', 1, 'live history export', 'garage'],
    ['careful', 1, 'live history export', 'garage'],
    ['gardener', 1, 'live history', 'yard'],
  ]);
  expect((await ask('?role=watcher')).body.rows).toEqual(body.rows.filter(({ role }) => role === 'watcher'));
});

test('a profile says since when recordings are shown, where that is limited', async () => {
  const { body: written } = await admin.send('GET', '/postern/api/version');
  const { timezone } = JSON.parse(written) as { readonly timezone: string };
  const since = Temporal.PlainDate.from('2020-01-01').toZonedDateTime(timezone).epochMilliseconds / 1_000;
  const sinceOf = async (name: string) => {
    const { body = '{}' } = (await people.get(name)?.send('GET', '/api/profile')) ?? {};
    return (JSON.parse(body) as { readonly recordings_since?: number }).recordings_since;
  };
  expect(await Promise.all(['gerda', 'fritz', 'olaf', 'admin'].map(sinceOf))).toEqual([
    since,
    undefined,
    undefined,
    undefined,
  ]);
});

describe('the answer for a user is what happens to their requests', () => {
  const requests: Readonly<
    Record<Exclude<Capability, 'ptz' | 'share' | 'talk'>, (camera: string) => [string, string]>
  > = {
    live: (camera) => ['GET', `/api/${camera}/latest.jpg`],
    history: (camera) => [
      'GET',
      `/api/${camera}/start/${Math.ceil(Date.now() / 1_000)}/end/9999999999/clip.mp4`,
    ],
    export: (camera) => [
      'POST',
      `/api/export/${camera}/start/${Math.ceil(Date.now() / 1_000)}/end/9999999999`,
    ],
  };

  test.each(['admin', 'vera', 'olaf', 'wanda', 'fritz', 'gerda', 'carla', 'bert'])('%s', async (user) => {
    const { body } = await ask(`?user=${user}`);
    const [row] = body.rows;
    expect(body.rows).toMatchObject([{ user }]);
    for (const { cameras, ...permissions } of row?.access ?? [])
      for (const camera of cameras)
        for (const word of ['live', 'history', 'export'] as const) {
          const [method, uri] = requests[word](camera);
          const sent = await people.get(user)?.send(method, uri, method === 'POST' ? {} : undefined);
          // No recorder has it.
          const status = permissions[word].state === 'may' ? 404 : user === 'bert' ? 401 : 403;
          expect([word, camera, sent?.status]).toEqual([word, camera, status]);
        }
  });
});

test('a moment can be asked about', async () => {
  const during = Date.UTC(2000, 5, 1) / 1_000;
  const stateAt = async (query: string) => {
    const [row] = (await ask(`?role=former${query}`)).body.rows;
    const garage = row?.access.find(({ cameras }) => cameras.includes('garage'));
    return [row?.schedule?.is_open, row?.schedule?.turns, garage?.live.state];
  };
  const end = Temporal.PlainDate.from('2001-01-02').toZonedDateTime(Temporal.Now.timeZoneId());
  expect(await stateAt('')).toEqual([false, null, 'closed']);
  expect(await stateAt(`&at=${during}`)).toEqual([true, end.epochMilliseconds / 1_000, 'may']);
});

test('only an admin who is signed in may ask', async () => {
  const made = await admin.send('POST', '/postern/api/tokens', { name: 'reader', role: 'admin' });
  const { token } = JSON.parse(made.body) as { token: string };
  const program = visitor(gateway.addresses.authenticated ?? '');
  const byToken = await program.send('GET', '/postern/api/access', undefined, [
    ['Authorization', `Bearer ${token}`],
  ]);
  expect(byToken.status).toBe(403);
  for (const name of ['vera', 'olaf', 'wanda', 'fritz', 'gerda', 'carla'])
    for (const query of ['', `?user=${name}`, '?role=viewer'])
      expect([name, (await ask(query, people.get(name))).status]).toEqual([name, 403]);
  expect((await ask('', program)).status).toBe(401);
});

test.each([
  ['?user=no.such.user', 404],
  ['?role=no_such_role', 422],
  ['?at=soon', 422],
])('%s: %i', async (query, status) => {
  expect((await ask(query)).status).toBe(status);
});

test('a profile says when access ends for good, until it has ended', async () => {
  const give = (until: string | null) => {
    const access = until === null ? null : { until, hours: '00:00-24:00' };
    return admin.send('PUT', '/postern/api/roles/visitor', { cameras: ['garage'], access });
  };
  await give(null);
  const ulla = await userOf(admin, gateway.addresses.authenticated ?? '', 'ulla', 'visitor');
  const profileOf = async (until: string | null) => {
    await give(until);
    const { body } = await ulla.send('GET', '/api/profile');
    const { ends_at, closed } = JSON.parse(body) as { readonly ends_at?: number; readonly closed?: object };
    return [ends_at, closed !== undefined];
  };
  expect(await profileOf(null)).toEqual([undefined, false]);
  const { body: written } = await admin.send('GET', '/postern/api/version');
  const { timezone: zone } = JSON.parse(written) as { readonly timezone: string };
  const end = Temporal.PlainDateTime.from('2126-11-29T18:00').toZonedDateTime(zone).epochMilliseconds;
  expect(await profileOf('2126-11-29T18:00')).toEqual([end / 1_000, false]);
  expect(await profileOf('2020-11-29T18:00')).toEqual([undefined, true]);
});
