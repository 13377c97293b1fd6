import { createServer, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { sendRaw, type RawRequest } from '../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../support/recording-upstream.ts';
import { listenOnLoopback } from '../support/reverse-proxy.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startNginx, startNginxFor, type RunningNginx } from '../support/start-nginx.ts';

type Header = readonly [name: string, value: string];

const page: Header = ['Accept', 'text/html'];
const german: Header = ['Accept-Language', 'de'];

let upstream: RecordingUpstream;
let gateway: RunningGateway;
let nginx: RunningNginx;
let nell: Visitor;
let olga: Visitor;
let gina: Visitor;
const as = ({ token }: Visitor): Header => ['Cookie', `session_token=${token}`];

beforeAll(async () => {
  upstream = await startRecordingUpstream();
  gateway = await startGateway({
    config: {
      upstream: `http://${upstream.address}`,
      cameras: ['driveway', 'garage'],
      auth: {
        roles: { street: ['driveway'], guarded: ['garage'] },
        second_factor: { required_for: ['guarded'] },
      },
    },
  });
  nginx = await startNginxFor(gateway, { recorder: upstream.address });
  const admin = await adminOf(gateway);
  const address = gateway.addresses.authenticated ?? '';
  nell = await userOf(admin, address, 'nell', 'street');
  olga = await userOf(admin, address, 'olga', 'street');
  gina = await userOf(admin, address, 'gina', 'guarded');
});
afterAll(async () => {
  await nginx.close();
  await gateway.close();
  await upstream.close();
});

const send = (request: RawRequest) => sendRaw(nginx.authenticated, request, true);
const garage = '/api/garage/latest.jpg';

describe('the page of a refusal behind nginx', () => {
  test('asks the gate once more, and decides nothing by that', async () => {
    const before = gateway.log.filter(({ msg }) => msg === 'refused').length;
    const { body } = await send({ uri: garage, headers: [as(nell), page] });
    expect(body).toContain('nell</strong>');
    expect(body).toContain('You don’t have access to Garage');
    expect(gateway.log.filter(({ msg }) => msg === 'refused').length).toBe(before + 1);
  });

  test.each<[what: string, request: Partial<RawRequest>, type: string]>([
    ['a program gets JSON', { headers: [] }, 'application/json'],
    ['nginx answers a GET with a body', { headers: [page], body: 'a=b' }, 'text/html; charset=utf-8'],
  ])('%s, without a second question', async (_, { headers = [], ...request }, type) => {
    const answer = await send({ uri: garage, ...request, headers: [as(nell), ...headers] });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([403, [type]]);
    expect(answer.body).not.toContain('nell');
    expect(answer.headers.get('x-postern-decision')).toEqual([gateway.log.at(-1)?.['decision']]);
  });

  test('the relay answers a form', async () => {
    const request = { method: 'POST', uri: garage, headers: [as(nell), page], body: 'a=b' };
    const answer = await send(request);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([403, ['text/html; charset=utf-8']]);
    expect(answer.body).toContain('nell</strong>');
  });

  test.each(['/_errors/403.html', '/_errors/401.login', '/_errors/away/403.html'])(
    'no one gets %s from outside',
    async (uri) => {
      const answer = await send({ uri, headers: [as(nell), page] });
      expect(answer.body).not.toContain('nell</strong>, role');
      expect(answer.status).toBe(404);
    },
  );
});

describe('a user who has to set up a second factor first', () => {
  test.each([garage, '/', '/postern/', '/postern/explore'])(
    'is led to the account page from %s',
    async (uri) => {
      upstream.takeReached();
      const answer = await send({ uri, headers: [as(gina), page] });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, ['/postern/account']]);
      expect(upstream.takeReached()).toEqual([]);
    },
  );

  test.each<[what: string, request: Partial<RawRequest>]>([
    ['a program', {}],
    ['a form', { method: 'POST', headers: [page], body: 'a=b' }],
  ])('%s is refused', async (_, { headers = [], ...request }) => {
    const answer = await send({ uri: garage, ...request, headers: [as(gina), ...headers] });
    expect(answer.status).toBeOneOf([303, 403]);
    expect(upstream.takeReached()).toEqual([]);
  });
});

describe('the place where nginx asks for it', () => {
  const listener = () => gateway.addresses.forwardAuthAuthenticated ?? '';
  const ask = (query: string, headers: readonly Header[], method = 'GET') =>
    sendRaw(listener(), {
      method,
      uri: `/api/authz/refusal${query}`,
      headers: [['X-Original-Method', 'GET'], ['X-Original-URL', garage], page, ...headers],
    });

  test.each<[what: string, decision: string, shown: string | undefined]>([
    ['an id', '0123abcd-1z', '0123abcd-1z'],
    ['no id', '', undefined],
    ['markup', '<script>alert(1)</script>', undefined],
    ['markup in code', '%3Cscript%3E', undefined],
    ['another parameter behind it', '0123abcd-1z&status=401', undefined],
    ['a long one', `0123abcd-${'1'.repeat(20)}`, undefined],
  ])('shows %s', async (_, decision, shown) => {
    const { status, body } = await ask(`?status=403&decision=${decision}`, [as(nell)]);
    expect(status).toBe(403);
    expect(/<code>(.*)<\/code>/.exec(body)?.[1]).toBe(shown);
    expect(body).not.toMatch(/alert|%3C/);
  });

  test("another user's decision reveals nothing of that user", async () => {
    const { headers } = await send({ uri: garage, headers: [as(olga)] });
    const { body } = await ask(`?status=403&decision=${headers.get('x-postern-decision')?.[0]}`, [as(nell)]);
    expect(body).toContain('nell');
    expect(body).not.toContain('olga');
  });

  test.each<[what: string, headers: Header[]]>([
    ['no one', []],
    ['a bad token', [['Cookie', 'session_token=x']]],
    ['headers of a proxy that is not configured', [['Remote-User', 'admin']]],
    ['what fronts say, twice', [['X-Original-URL', '/other']]],
  ])('%s: a page without a person', async (_, headers) => {
    const { status, body } = await ask('?status=401&decision=0123abcd-1', headers);
    expect(status).toBe(401);
    expect(body).toContain('<code>0123abcd-1</code>');
    expect(body).not.toMatch(/logged in as/);
  });

  test.each(['', '?', '?status=200&decision=0123abcd-1', '?decision=0123abcd-1', '?status=403'])(
    'is not at %j',
    async (query) => {
      expect((await ask(query, [as(nell)])).body).not.toContain('nell');
    },
  );

  test('is not at a listener that faces clients', async () => {
    const uri = '/api/authz/refusal?status=403&decision=0123abcd-1';
    upstream.takeReached();
    for (const address of [nginx.authenticated, gateway.addresses.authenticated ?? '']) {
      const { body } = await sendRaw(address, { uri, headers: [as(nell), page] }, true);
      expect(body).not.toContain('<code>0123abcd-1');
    }
    expect(upstream.takeReached()).toEqual([]);
  });
});

describe('what nginx answers by itself', () => {
  /** A gate that refuses, and is away when it is asked for the page. */
  const refusing = (status: number) =>
    createServer((request: IncomingMessage, response) => {
      if (request.url?.startsWith('/api/authz/refusal')) response.destroy();
      else response.writeHead(status, { 'x-postern-decision': '0123abcd-1', 'content-length': 0 }).end();
    });

  test.each([401, 403])('%i: a page of its own when the gate goes away in between', async (status) => {
    const gate = await listenOnLoopback(refusing(status));
    const address = gate.origin.slice('http://'.length);
    const front = await startNginx({
      gateway: { authenticated: address, internal: address },
      recorder: upstream.address,
    });
    try {
      const headers: Header[] = [['Host', 'localhost'], page, german];
      const answer = await sendRaw(front.authenticated, { uri: garage, headers }, true);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        status,
        ['text/html; charset=utf-8'],
      ]);
      expect(answer.body).toContain(
        status === 401 ? 'Bitte zuerst anmelden' : 'Das ist nicht mit Ihnen geteilt',
      );
      expect(answer.headers.get('x-postern-decision')).toEqual(['0123abcd-1']);
      expect(answer.headers.get('cache-control')).toEqual(['no-store']);
    } finally {
      await front.close();
      await gate.close();
    }
  });

  test.each<[headers: Header[], title: string]>([
    [[], 'Postern doesn’t answer · Postern'],
    [[german], 'Postern antwortet nicht · Postern'],
    [[['Accept-Language', 'en,de']], 'Postern doesn’t answer · Postern'],
    [[german, ['Cookie', 'postern_look=en.dark']], 'Postern doesn’t answer · Postern'],
    [[['Cookie', 'postern_look=de.auto']], 'Postern antwortet nicht · Postern'],
    [[german, ['Cookie', 'postern_look=auto.dark']], 'Postern antwortet nicht · Postern'],
  ])('the gate away: %j', async (headers, title) => {
    away ??= await startNginx({
      gateway: { authenticated: 'unix:/nowhere/a.sock', internal: 'unix:/nowhere/b.sock' },
      recorder: upstream.address,
    });
    const answer = await sendRaw(away.authenticated, { uri: '/', headers: [page, ...headers] }, true);
    expect([answer.status, /<title>(.*)<\/title>/.exec(answer.body)?.[1]]).toEqual([503, title]);
  });
  let away: RunningNginx | undefined;
  afterAll(() => away?.close());
});
