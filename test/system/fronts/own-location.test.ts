import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { everyFront, startFrontedGateway, type FrontedGateway } from '../../support/every-front.ts';
import { adminOf, userOf, type Visitor } from '../../support/log-in.ts';
import { sendRaw, type RawRequest } from '../../support/raw-http.ts';
import { reachedIdentity } from './reached-identity.ts';

/*
 * The location of a front that passes on what is the gate's, without an authorization request: whatever a front takes for it
 * goes to the gate alone, which reads the path that the client sent once more.
 */

let running: FrontedGateway;
let admin: Visitor;
let nell: Visitor;

beforeAll(async () => {
  running = await startFrontedGateway({
    cameras: ['driveway', 'garage'],
    auth: { roles: { operator: ['driveway'] } },
  });
  admin = await adminOf(running.gateway);
  nell = await userOf(admin, running.gateway.addresses.authenticated ?? '', 'nell', 'operator');
});
afterAll(() => running.close());
beforeEach(() => void running.upstream.takeReached());

const cookieOf = ({ token }: Visitor) => ['Cookie', `session_token=${token}`] as const;

describe.each(everyFront)('%s', (name) => {
  const send = (request: RawRequest) => {
    const { address, tls } = running.front(name);
    return sendRaw(address, request, tls);
  };
  const as = (user: Visitor, uri: string, headers: RawRequest['headers'] = []) =>
    send({ uri, headers: [cookieOf(user), ...headers] });

  test("passes the gate's own paths on as they came", async () => {
    for (const uri of ['/postern/', '/postern/account', '/postern/settings/users'])
      expect([uri, (await as(admin, uri)).headers.get('content-type')]).toEqual([
        uri,
        ['text/html; charset=utf-8'],
      ]);
    expect((await as(admin, '/postern')).headers.get('location')).toEqual(['/postern/']);
    expect(JSON.parse((await as(nell, '/postern/api/cameras')).body)).toEqual(['driveway']);
    const audit = JSON.parse((await as(admin, '/postern/api/audit?limit=1')).body) as { records: unknown[] };
    expect(audit.records).toHaveLength(1);
    const defined = await send({
      method: 'PUT',
      uri: '/postern/api/roles/visitor',
      headers: [cookieOf(admin), ['Content-Type', 'application/json']],
      body: '{"cameras":["garage"]}',
    });
    expect([defined.status, defined.body]).toEqual([200, expect.stringContaining('"visitor"')]);
    expect(running.upstream.takeReached()).toEqual([]);
  });

  test('passes on the gate’s answer to a refused client', async () => {
    const anonymous = await send({ uri: '/postern/api/roles' });
    expect([anonymous.status, JSON.parse(anonymous.body)]).toMatchObject([401, { code: 'unauthenticated' }]);
    const viewer = await as(nell, '/postern/api/audit', [['Accept', 'text/html']]);
    expect([viewer.status, viewer.body]).toEqual([
      403,
      expect.stringContaining('This isn’t shared with you'),
    ]);
    const page = await send({ uri: '/postern/account?a=b', headers: [['Sec-Fetch-Mode', 'navigate']] });
    expect([page.status, page.headers.get('location')]).toEqual([
      303,
      ['/login?next=%2Fpostern%2Faccount%3Fa%3Db'],
    ]);
    expect((await as(admin, '/postern/api/nothing')).status).toBe(404);
    // Fronts that answer in their own words do not have the decision of a request that they did not ask about.
    for (const { headers } of [anonymous, viewer, page])
      expect(headers.get('x-postern-decision')).toEqual([expect.stringMatching(/./)]);
    expect(running.upstream.takeReached()).toEqual([]);
  });

  test('passes no body on that is longer than the gate takes', async () => {
    const answer = await send({
      method: 'POST',
      uri: '/postern/api/explain',
      headers: [cookieOf(admin), ['Content-Type', 'application/json']],
      body: JSON.stringify({ user: 'x'.repeat(17_000) }),
    });
    expect(answer.status).toBe(413);
    expect(running.upstream.takeReached()).toEqual([]);
  });

  // Whichever way a front reads them, the gate gets them as they were sent: read once, most would be a path of its own.
  test.each([
    '/postern/../api/config',
    '/postern/%2e%2e/api/config',
    '/postern/%2e%2e%2fapi/config',
    '/postern/..%2fapi/config',
    '/postern/..;/api/config',
    '/postern/x/../api/roles',
    '/postern/x/%2e%2e/api/roles',
    '/postern/./api/roles',
    '/x/../postern/api/roles',
    '/postern%2fapi/roles',
    '/postern/api%2froles',
    '/postern\\api/roles',
    '/postern/api%5croles',
    '/postern;x/api/roles',
    '/postern/api;x/roles',
    '/postern/%61pi%252froles',
    '/postern/api/roles%00',
    '/postern/api/roles%0a',
    '/api/users/../config',
    '/api/users/%2e%2e/config',
    '/api/users%2f..%2fconfig',
  ])('%s is refused to an admin', async (uri) => {
    const answer = await as(admin, uri);
    expect([400, 403]).toContain(answer.status);
    expect(running.upstream.takeReached()).toEqual([]);
  });

  test.each([
    '//postern/api/roles',
    '/postern//api/roles',
    '/%70ostern/api/roles',
    '/POSTERN/api/roles',
    '/Postern/',
    '/postern.x/',
    '/posternx/api/roles',
    '/posternx',
    '/x/postern/api/roles',
    '/API/users',
    '/api/usersx',
    '/api//users',
  ])("%s is asked about, or the gate's", async (uri) => {
    const anonymous = await send({ uri });
    expect(anonymous.status).toBe(401);
    expect(running.upstream.takeReached()).toEqual([]);
    await as(admin, uri);
    for (const { rawHeaders } of running.upstream.takeReached())
      expect(reachedIdentity(rawHeaders)).toMatchObject({ user: ['admin'], role: ['admin'] });
  });

  test.each(['/posternx', '/api/usersx'])("%s is the recorder's", async (uri) => {
    expect((await as(admin, uri)).status).toBe(200);
    expect(running.upstream.takeReached()).toMatchObject([{ uri }]);
  });
});
