import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basic } from '../support/basic.ts';
import { everyFront, startFrontedGateway, type FrontedGateway } from '../support/every-front.ts';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { keptConnection, type RawRequest } from '../support/raw-http.ts';
import { rolesAreVerified, rolesOf } from '../support/verified-roles.ts';
import type { RecorderFile } from '../unit/events/recorder-file.ts';
import { asked, isOpenTo, mayConfig, mayDatabase, roles } from './may-table.ts';

/*
 * What roles may do, by each kind of path and through each front, by the identities of the gate's own accounts. The corpus has those
 * of a proxy, with the words that a role may lack.
 */

type Header = readonly [name: string, value: string];

/** One that may do all that can be asked for, one that lacks a word, and the viewer. */
const tried = ['by_default', 'without_history', 'viewer'];
const customRoles = ['live_alone', 'by_default', 'without_history'];
const auth = {
  roles: { ...mayConfig.auth.roles, unlimited: ['front_door'] },
  role_access: {
    ...mayConfig.auth.role_access,
    unlimited: { may: ['live', 'history', 'export', 'ptz', 'talk'] },
  },
};

let running: FrontedGateway;
let database: RecorderFile;
const users = new Map<string, Visitor>();
/** Of a user whose role has all words, by the role whose words they have. */
const tokens = new Map<string, string>();

beforeAll(async () => {
  database = mayDatabase();
  const { cameras, access } = mayConfig;
  const config = { auth, cameras, access, events: { database: database.path } };
  running = await startFrontedGateway({ ...config, recorder: { check_interval: 3_600 } }, rolesOf(config));
  await rolesAreVerified(running.gateway);
  const admin = await adminOf(running.gateway);
  const address = running.gateway.addresses.authenticated ?? '';
  for (const role of tried) users.set(role, await userOf(admin, address, role, role));
  const owner = await userOf(admin, address, 'unlimited', 'unlimited');
  const makeToken = async (name: string, access: object) => {
    const made = await owner.send('POST', '/postern/api/tokens', { name, role: 'unlimited', access });
    tokens.set(name, (JSON.parse(made.body) as { token?: string }).token ?? made.body);
  };
  for (const role of customRoles) await makeToken(role, { may: roles[role] });
  await makeToken('without earlier recordings', { from: '2020-01-01', history: 'from' });
  await makeToken('before its time', { from: '9000-01-01' });
  await makeToken('after its time', { until: '2001-01-01' });
});
afterAll(async () => {
  await running.close();
  database.remove();
});

type Outcome = 'open' | 'refused' | Readonly<Record<string, unknown>>;

/** Asks for everything, one thing after the other. */
async function outcomesOf(front: string, credentials: Header): Promise<Record<string, Outcome>> {
  const { address, tls } = running.front(front);
  using connection = keptConnection(address, tls);
  const outcomes: Record<string, Outcome> = {};
  for (const { name, request } of asked) {
    running.upstream.takeReached();
    outcomes[name] = await outcomeOf(connection.send, {
      ...request,
      headers: [credentials, ...(request.headers ?? [])],
    });
  }
  return outcomes;
}

async function outcomeOf(
  send: ReturnType<typeof keptConnection>['send'],
  request: RawRequest,
): Promise<Outcome> {
  const { status } = await send(request);
  const reached = running.upstream.takeReached().map(({ method, uri }) => `${method} ${uri}`);
  if (status === 200 && reached.length === 1) return 'open';
  return status === 403 && reached.length === 0 ? 'refused' : { status, reached };
}

const expectedOf = (role: string) =>
  Object.fromEntries(asked.map((kind) => [kind.name, isOpenTo(role, kind, true) ? 'open' : 'refused']));

const session = (role: string): Header => ['Cookie', `session_token=${users.get(role)?.token}`];
const bearer = (token: string | undefined): Header => ['Authorization', `Bearer ${token}`];

describe.each(everyFront)('a session through %s', (front) => {
  test.each(tried)('of the role %s', async (role) => {
    expect(await outcomesOf(front, session(role))).toEqual(expectedOf(role));
  });
});

describe.each(['embedded front', 'nginx.conf'])('through %s', (front) => {
  test.each(tried)('a session as a bearer, of the role %s', async (role) => {
    expect(await outcomesOf(front, bearer(users.get(role)?.token))).toEqual(expectedOf(role));
  });

  test.each(customRoles)('an API token of a wider role, with the words of %s', async (role) => {
    expect(await outcomesOf(front, bearer(tokens.get(role)))).toEqual(expectedOf(role));
  });

  test('an API token as a password', async () => {
    const credentials = basic('token', tokens.get('live_alone') ?? '');
    expect(await outcomesOf(front, ['Authorization', credentials])).toEqual(expectedOf('live_alone'));
  });

  test.each(['before its time', 'after its time'])('an API token %s', async (name) => {
    const outcomes = Object.values(await outcomesOf(front, bearer(tokens.get(name))));
    expect([...new Set(outcomes)]).toEqual(['refused']);
  });

  test('an API token without earlier recordings', async () => {
    const { address, tls } = running.front(front);
    using connection = keptConnection(address, tls);
    const outcomeAt = (start: number, token: string) => {
      const uri = `/vod/front_door/start/${start}/end/1999999999/index.m3u8`;
      return outcomeOf(connection.send, { uri, headers: [bearer(tokens.get(token))] });
    };
    expect([
      await outcomeAt(1_500_000_000, 'by_default'),
      await outcomeAt(1_500_000_000, 'without earlier recordings'),
      await outcomeAt(1_793_171_000, 'without earlier recordings'),
    ]).toEqual(['open', 'refused', 'open']);
  });
});
