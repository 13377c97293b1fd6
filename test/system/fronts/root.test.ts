import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminOf, type Visitor } from '../../support/log-in.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { startPrefixProxy } from '../../support/reverse-proxy.ts';
import { startFront, frontNames } from '../../support/start-front.ts';
import { startGateway, type RunningGateway } from '../../support/start-gateway.ts';
import { startNginxFor } from '../../support/start-nginx.ts';

/** Before a recorder that has no UI of its own, the root leads to the pages of the gate. */
const prefix = '/cameras';

let gateway: RunningGateway;
let admin: Visitor;
beforeAll(async () => {
  gateway = await startGateway({
    config: {
      base_path: prefix,
      networking: {
        listen: { authenticated: '127.0.0.1:0', internal: 'off' },
        forward_auth: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' },
      },
      events: { listen: '127.0.0.1:0' },
    },
  });
  admin = await adminOf(gateway);
});
afterAll(() => gateway.close());

const start = async (name: 'nginx.conf' | (typeof frontNames)[number]) => {
  if (name === 'nginx.conf') {
    const { authenticated, close } = await startNginxFor(gateway, { sharedPages: true });
    return { address: authenticated, tls: true, close };
  }
  const { forwardAuthAuthenticated = '', events } = gateway.addresses;
  return startFront(name, { gateway: forwardAuthAuthenticated, recorder: events }, { hasOwnUi: false });
};

test.each(['nginx.conf', ...frontNames] as const)('%s, with and without a path prefix', async (name) => {
  const front = await start(name);
  const proxy = await startPrefixProxy({
    prefix,
    address: front.address,
    strips: true,
    says: false,
    tls: front.tls,
  });
  const cookie = ['Cookie', `session_token=${admin.token}`] as const;
  const behindProxy = { address: proxy.origin.slice('http://'.length), tls: false };
  for (const [where, { address, tls }] of [
    ['', front],
    [prefix, behindProxy],
  ] as const) {
    const ask = (uri: string) => sendRaw(address, { uri, headers: [cookie] }, tls);
    const root = await ask(`${where}/`);
    expect([root.status, root.headers.get('location')?.length]).toEqual([303, 1]);
    const { pathname } = new URL(root.headers.get('location')?.[0] ?? '', `https://gate.local${where}/`);
    expect(pathname).toBe(`${where}/postern/`);
    const page = await ask(pathname);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, ['text/html; charset=utf-8']]);
    // Other paths of a recorder's UI are not the gate's.
    expect((await ask(`${where}/explore`)).status).toBe(404);
  }
  await proxy.close();
  await front.close();
});
