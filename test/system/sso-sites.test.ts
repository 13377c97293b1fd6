import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../support/ports.ts';
import { sendRaw, type RawRequest } from '../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../support/recording-upstream.ts';
import { listenOnLoopback } from '../support/reverse-proxy.ts';
import { projectRoot, startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startSite, type Site } from '../support/start-site.ts';
import { upgradeHeaders } from '../support/open-stream.ts';
import { acceptWebSocket, frameOf, opcodes } from '../support/web-socket.ts';

const folder = join(projectRoot, 'docs', 'sso');
const secret = 'a secret for this test';

/** The gate with the configuration of a folder; only the port is another. */
async function startPostern(product: string, upstream?: string): Promise<RunningGateway> {
  const config = parse(readFileSync(join(folder, product, 'config.yml'), 'utf8')) as Record<string, unknown>;
  const listen = { authenticated: '127.0.0.1:0', internal: 'off' };
  const own = join(folder, product, 'proxy_trusted_headers.conf');
  return startGateway({
    config: { ...config, networking: { listen }, ...(upstream === undefined ? {} : { upstream }) },
    environment: { SERVICE_PROXY_SECRET: secret },
    ...(existsSync(own) ? { trustedHeadersFile: own } : {}),
  });
}

/** The nginx.conf of a folder, at an address of its own. */
async function startProductSite(
  product: string,
  postern: string,
  signOn: string,
): Promise<Site & { readonly address: string }> {
  const address = `127.0.0.1:${await freePort()}`;
  const site = await startSite({
    file: `docs/sso/${product}/nginx.conf`,
    addresses: [address],
    replaced: [
      ['listen 443 ssl', `listen ${address} ssl`],
      ['127.0.0.1:8971', postern],
      [signOns.find((one) => one.product === product)?.at ?? '', signOn],
    ],
    files: { 'postern-secret.conf': `proxy_set_header X-Proxy-Secret "${secret}";\n` },
  });
  return { ...site, address };
}

interface SignOn {
  readonly product: string;
  /** Where the product listens. */
  readonly at: string;
  /** Where it is asked. */
  readonly asked: string;
  /** Its answer for a user of these groups. */
  readonly says: (user: string, groups: string) => Record<string, string>;
  readonly group: string;
  readonly admins: string;
  /** Where it sends unknown users. */
  readonly location: RegExp;
  /** The headers that Postern trusts. */
  readonly sent: readonly string[];
}

const signOns: readonly SignOn[] = [
  {
    product: 'authelia',
    at: '127.0.0.1:9091',
    asked: '/api/authz/auth-request',
    says: (user, groups) => ({
      'Remote-User': user,
      'Remote-Groups': groups,
      'Remote-Email': '',
      'Remote-Name': 'x',
    }),
    group: 'choir,street',
    admins: 'family',
    location: /^https:\/\/auth\.example\.com\//,
    sent: ['Remote-User', 'Remote-Groups', 'Remote-Email', 'Remote-Name'],
  },
  {
    product: 'authentik',
    at: '127.0.0.1:9000',
    asked: '/outpost.goauthentik.io/auth/nginx',
    says: (user, groups) => ({ 'X-authentik-username': user, 'X-authentik-groups': groups }),
    group: 'choir|street',
    admins: 'authentik Admins',
    location: /\/outpost\.goauthentik\.io\/start\?rd=\/api\/driveway\/latest\.jpg$/,
    sent: [
      'X-authentik-username',
      'X-authentik-groups',
      'X-authentik-email',
      'X-authentik-name',
      'X-authentik-uid',
    ],
  },
  {
    product: 'oauth2-proxy',
    at: '127.0.0.1:4180',
    asked: '/oauth2/auth',
    says: (user, groups) => ({
      'X-Auth-Request-User': '7c1e9a52',
      'X-Auth-Request-Preferred-Username': user,
      'X-Auth-Request-Groups': groups,
    }),
    group: 'choir,street',
    admins: 'family',
    location: /\/oauth2\/start\?rd=\/api\/driveway\/latest\.jpg$/,
    sent: ['X-Forwarded-User', 'X-Forwarded-Preferred-Username', 'X-Forwarded-Groups', 'X-Forwarded-Email'],
  },
];

describe.each(signOns)(
  'the nginx.conf of $product',
  ({ product, asked, says, group, admins, location, sent }) => {
    let upstream: RecordingUpstream;
    let postern: RunningGateway;
    let signOn: Awaited<ReturnType<typeof listenOnLoopback>>;
    let site: Awaited<ReturnType<typeof startProductSite>>;
    let groups: string;
    const askedFor: string[] = [];
    beforeAll(async () => {
      upstream = await startRecordingUpstream();
      postern = await startPostern(product, `http://${upstream.address}`);
      signOn = await listenOnLoopback(
        createServer((request, response) => {
          askedFor.push(request.url ?? '');
          if (request.headers.cookie !== 'signed_on=1') {
            response.writeHead(401, { location: 'https://auth.example.com/?rd=x' }).end();
          } else if (request.url === asked) {
            response.writeHead(200, says('nell', groups)).end();
          } else {
            response.end('a page of its own');
          }
        }),
      );
      site = await startProductSite(
        product,
        postern.addresses.authenticated ?? '',
        new URL(signOn.origin).host,
      );
    });
    beforeEach(() => {
      groups = group;
      askedFor.length = 0;
      upstream.takeReached();
    });
    afterAll(async () => {
      await site.close();
      await signOn.close();
      await postern.close();
      await upstream.close();
    });

    const ask = (...headers: ReadonlyArray<readonly [string, string]>) =>
      sendRaw(site.address, { uri: '/api/driveway/latest.jpg', headers }, true);
    const signedOn = ['Cookie', 'signed_on=1'] as const;
    const expectNell = async (answer: Awaited<ReturnType<typeof ask>>) => {
      expect(answer.status).toBe(200);
      const [request, ...others] = upstream.takeReached();
      expect(others).toEqual([]);
      const value = (name: string) =>
        request?.rawHeaders.filter((_, i, all) => i % 2 === 1 && all[i - 1]?.toLowerCase() === name);
      expect([value('remote-user'), value('remote-role')]).toEqual([['nell'], ['neighbour']]);
      expect(value('x-proxy-secret')).toEqual([]);
    };

    test('signed on: the user and the role of the product', async () => {
      await expectNell(await ask(signedOn));
      expect(askedFor).toEqual([asked]);
    });

    test('not signed on: sent to the product, and nothing reaches the recorder', async () => {
      const answer = await ask();
      expect([answer.status, answer.headers.get('location')?.[0]]).toEqual([
        302,
        expect.stringMatching(location),
      ]);
      expect(upstream.takeReached()).toEqual([]);
    });

    test("a client's own headers are replaced, however often it sends them", async () => {
      const own = [...sent, 'X-Proxy-Secret'].flatMap((name) => [
        [name, 'family'] as const,
        [name.toLowerCase(), 'authentik Admins'] as const,
        [name.replaceAll('-', '_'), 'family'] as const,
      ]);
      await expectNell(await ask(signedOn, ...own));
      expect((await ask(...own)).status).toBe(302);
      expect(upstream.takeReached()).toEqual([]);
    });

    test('no group that maps: refused', async () => {
      groups = 'choir';
      expect((await ask(signedOn)).status).toBe(403);
      expect(upstream.takeReached()).toEqual([]);
    });

    test('a logout leads on to the product', async () => {
      const answer = await sendRaw(site.address, { uri: '/logout', headers: [signedOn] }, true);
      const text = readFileSync(join(folder, product, 'config.yml'), 'utf8');
      const { logout_url: logoutUrl } = parse(text) as { logout_url: string };
      expect([answer.status, answer.headers.get('location')]).toEqual([303, [logoutUrl]]);
    });

    test('an admin changes something, from a page of the site', async () => {
      groups = admins;
      const request: RawRequest = {
        method: 'PUT',
        uri: '/postern/api/roles/neighbour',
        headers: [
          signedOn,
          ['Host', 'cameras.example.com'],
          ['Origin', 'https://cameras.example.com'],
          ['Sec-Fetch-Site', 'same-origin'],
          ['Content-Type', 'application/json'],
        ],
        body: '{"cameras":["driveway","front_door"]}',
      };
      expect((await sendRaw(site.address, request, true)).status).toBe(200);
      const headers = request.headers?.map(([name, value]) =>
        name === 'Origin'
          ? ([name, 'https://evil.example'] as const)
          : ([name, value.replace('same-origin', 'cross-site')] as const),
      );
      expect((await sendRaw(site.address, { ...request, headers: headers ?? [] }, true)).status).toBe(403);
    });

    test('a WebSocket gets through', async () => {
      upstream.server.once('upgrade', (request, socket) => {
        acceptWebSocket(request, socket);
        socket.end(frameOf(opcodes.close, Buffer.alloc(0))).resume();
      });
      const request: RawRequest = {
        uri: '/live/mse/api/ws?src=driveway',
        headers: [signedOn, ...upgradeHeaders],
      };
      expect((await sendRaw(site.address, request, true)).status).toBe(101);
    });
  },
);

describe.each([
  'authelia',
  'authentik',
  'oauth2-proxy',
  'keycloak',
  'cloudflare-access',
  'tailscale-serve',
  'home-assistant-ingress',
])('the curl lines of %s', (product) => {
  let postern: RunningGateway;
  beforeAll(async () => {
    postern = await startPostern(product);
  });
  afterAll(() => postern.close());

  test('have the answers that the guide lists', async () => {
    const guide = readFileSync(join(folder, product, 'README.md'), 'utf8');
    const block = /## Check it[^]*?```sh\n([^]*?)```/.exec(guide)?.[1] ?? '';
    const expected = [...block.matchAll(/^ask .*# (\d{3}): (\w+)?/gm)].map(([, status, word]) => ({
      status,
      word,
    }));
    expect(expected.length).toBeGreaterThanOrEqual(4);
    const script = block.replaceAll('127.0.0.1:8971', postern.addresses.authenticated ?? '');
    const child = spawn('bash', ['-euc', script], {
      env: { PATH: process.env['PATH'], SERVICE_PROXY_SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'close');
    const answered = output.trimEnd().split('\n');
    expect(answered.map((line) => /\[(\d+)\]$/.exec(line)?.[1])).toEqual(
      expected.map(({ status }) => status),
    );
    for (const [index, { status, word }] of expected.entries()) {
      if (status === '200') expect(answered[index]).toContain(`"role":"${word}"`);
    }
  });
});
