import { guardedEndpoints, openEndpoints } from '../support/every-endpoint.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { pages } from '../../src/api/ui/pages.ts';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { sendRaw, type RawRequest } from '../support/raw-http.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startNginxFor, type RunningNginx } from '../support/start-nginx.ts';

/*
 * A page in a frame of another site: its clicks are the user's, and its buttons hidden (clickjacking). Whatever the gate or a front
 * answers with HTML is looked at; what a recorder answers is its own.
 */

const home = 'https://home.example';
const framable: ReadonlySet<string> = new Set(['/postern/wall', '/postern/pair']);

const all: readonly Endpoint[] = [...openEndpoints, ...guardedEndpoints];
const named = (path: string) => path.replaceAll(/:(\w+)/g, 'x');
const read = all.filter(({ method }) => method === 'get').map(({ path }) => named(path));
const paths = [...new Set([...read, ...pages.map((page) => named(`/postern/${page}`))])]
  // They end the session.
  .filter((path) => !path.endsWith('/logout'));

/** What is refused, with each status that has a page. */
const json = { headers: [['Content-Type', 'application/json']] } as const;
const refused: ReadonlyArray<readonly [status: number, request: RawRequest]> = [
  [403, { uri: '/api/front_door/latest.jpg' }],
  [403, { uri: '/postern/settings/nothing' }],
  [403, { uri: '/api/../x' }],
  [404, { uri: '/postern/assets/none.js' }],
  [413, { uri: '/api/login', method: 'POST', body: 'x'.repeat(200_000), ...json }],
  [415, { uri: '/api/login', method: 'POST', body: '{}', headers: [['Content-Type', 'text/plain']] }],
  [502, { uri: '/api/version' }],
];

describe.each([
  ['without frame_ancestors', undefined],
  ['with frame_ancestors', [home]],
])('%s', (_, frame_ancestors) => {
  let gateway: RunningGateway;
  let nginx: RunningNginx;
  let users: readonly Visitor[];
  beforeAll(async () => {
    gateway = await startGateway({
      config: {
        cameras: ['front_door', 'garage'],
        auth: { roles: { family: ['garage'] } },
        // Nothing answers there.
        upstream: 'http://127.0.0.1:9',
        ...(frame_ancestors && { frame_ancestors }),
      },
    });
    nginx = await startNginxFor(gateway, { recorder: '127.0.0.1:9' });
    const admin = await adminOf(gateway);
    users = [admin, await userOf(admin, gateway.addresses.authenticated ?? '', 'anna', 'family')];
  });
  afterAll(async () => {
    await nginx.close();
    await gateway.close();
  });

  const fronts = {
    'the embedded front': () => gateway.addresses.authenticated ?? '',
    nginx: () => nginx.authenticated,
  };

  /** @returns the status, and who may frame the page; undefined: it is not a page */
  const ask = async (front: keyof typeof fronts, request: RawRequest, user?: Visitor) => {
    const cookie = user === undefined ? [] : [['Cookie', `session_token=${user.token}`] as const];
    const navigation = [
      ['Accept', 'text/html'],
      ['Sec-Fetch-Mode', 'navigate'],
    ] as const;
    const { status, headers } = await sendRaw(
      fronts[front](),
      { ...request, headers: [...(request.headers ?? []), ...navigation, ...cookie] },
      true,
    );
    // A browser follows a redirect, and shows nothing of it.
    if (headers.has('location')) return { status };
    if (headers.get('content-type')?.[0]?.startsWith('text/html') !== true) return { status };
    const policies = (headers.get('content-security-policy') ?? []).join('; ');
    const ancestors = [...policies.matchAll(/frame-ancestors ([^;]*)/g)].map(([, who]) => who);
    return { status, ancestors };
  };

  describe.each(['the embedded front', 'nginx'] as const)('by %s', (front) => {
    test('no page may be framed, but for those of screens', async () => {
      let count = 0;
      for (const user of [undefined, ...users])
        for (const uri of [...paths, '/postern/pair?code=BBBB-BBBB']) {
          const { ancestors } = await ask(front, { uri }, user);
          if (ancestors === undefined) continue;
          count += 1;
          const may = framable.has(uri) ? (frame_ancestors ?? ["'none'"]) : ["'none'"];
          expect([uri, user?.token === undefined, ancestors]).toEqual([uri, user?.token === undefined, may]);
        }
      expect(count).toBeGreaterThan(60);
    });

    test.each(refused)('no refusal with %i may be framed: $uri', async (status, request) => {
      const answers = await Promise.all([undefined, ...users].map((user) => ask(front, request, user)));
      expect(answers.map((answer) => answer.status)).toContain(status);
      for (const { ancestors } of answers) expect(ancestors ?? ["'none'"]).toEqual(["'none'"]);
      expect(answers.some(({ ancestors }) => ancestors !== undefined)).toBe(true);
    });
  });
});
