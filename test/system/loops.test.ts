import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sendRaw, type RawRequest } from '../support/raw-http.ts';
import { postern } from '../support/postern-command.ts';
import { startGateway } from '../support/start-gateway.ts';
import { temporaryDirectory } from '../unit/store/temporary-store.ts';

/** Another host that passes everything on, WebSockets too. */
async function startDetour(): Promise<{
  readonly url: string;
  leadTo: (port: number) => void;
  passed: () => number;
}> {
  let [port, passed] = [0, 0];
  const ask = (incoming: IncomingMessage) => {
    passed += 1;
    const { method, url, headers } = incoming;
    return request({ host: '127.0.0.1', port, method, path: url, headers });
  };
  const server: Server = createServer((incoming, outgoing) => {
    const asked = ask(incoming);
    incoming.pipe(asked);
    asked.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
  });
  server.on('upgrade', (incoming, socket) => {
    passed += 1;
    const upstream = connect(port, '127.0.0.1', () => {
      const lines = [`GET ${incoming.url} HTTP/1.1`];
      for (let i = 0; i < incoming.rawHeaders.length; i += 2)
        lines.push(`${incoming.rawHeaders[i]}: ${incoming.rawHeaders[i + 1]}`);
      upstream.write(`${lines.join('\r\n')}\r\n\r\n`);
      socket.pipe(upstream).pipe(socket);
    });
    for (const end of [socket, upstream]) end.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (to) => (port = to),
    passed: () => passed,
  };
}

async function start(upstream: string) {
  const gateway = await startGateway({ config: { upstream, auth: { enabled: false } } });
  onTestFinished(() => gateway.close());
  const internal = gateway.addresses.internal ?? '';
  return { ...gateway, internal, port: Number(internal.split(':')[1]) };
}

const webSocket = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
] as const;

test('a request that comes back through other hosts gets 508, and one line of the log', async () => {
  const detour = await startDetour();
  const { internal, port, log } = await start(detour.url);
  detour.leadTo(port);
  const ask = (asked: RawRequest) => sendRaw(internal, asked);
  for (const asked of [
    { uri: '/api/front/latest.jpg' },
    { uri: '/api/version', headers: [['X-Postern-Hops', 'mine']] as const },
    { uri: '/api/version', headers: [['Connection', 'x-postern-hops']] as const },
    {
      uri: '/api/events/1/retain',
      method: 'POST',
      headers: [['Content-Type', 'application/json']] as const,
      body: '{}',
    },
  ]) {
    const before = detour.passed();
    const { status, body } = await ask(asked);
    expect([status, (JSON.parse(body) as { code: string }).code]).toEqual([508, 'loop_detected']);
    expect(detour.passed() - before).toBeLessThan(4);
  }
  for (const uri of ['/ws', '/live/mse/api/ws?src=front']) {
    const { status } = await ask({ uri, headers: webSocket });
    expect(status).toBe(508);
  }
  expect(log.filter(({ event }) => event === 'loop_detected')).toHaveLength(1);
});

test('two gates that lead to each other end it too', async () => {
  const detour = await startDetour();
  const one = await start(detour.url);
  const other = await start(`http://127.0.0.1:${one.port}`);
  detour.leadTo(other.port);
  expect((await sendRaw(one.internal, { uri: '/api/version' })).status).toBe(508);
});

test('a gate behind a gate is no loop, and a client can only refuse itself', async () => {
  const recorder = createServer((_, answer) => answer.end('recorder')).listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  onTestFinished(() => void recorder.close());
  const behind = await start(`http://127.0.0.1:${(recorder.address() as AddressInfo).port}`);
  const front = await start(`http://127.0.0.1:${behind.port}`);
  const ask = (headers: RawRequest['headers'] = []) =>
    sendRaw(front.internal, { uri: '/api/version', headers });
  expect((await ask()).body).toBe('recorder');
  const many = Array.from({ length: 20 }, (_, n) => `gate${n}`).join(', ');
  expect((await ask([['X-Postern-Hops', many]])).status).toBe(508);
  expect((await ask()).body).toBe('recorder');
});

test('upstream at a listener of the gate is refused at the start, by config check, and by a reload', async () => {
  const directory = temporaryDirectory();
  const config = (upstream: string) => ({
    networking: {
      listen: { authenticated: '127.0.0.1:18971', internal: 'off' },
      relay: { internal: `unix:${directory}/relay.sock` },
    },
    upstream,
  });
  for (const upstream of ['http://localhost:18971', `unix:${directory}/relay.sock`]) {
    await expect(startGateway({ directory, config: config(upstream) })).rejects.toMatchObject({
      problems: [{ path: 'upstream' }],
    });
    const { status, errors } = await postern(directory, ['config', 'check']);
    expect([status, errors]).toEqual([
      78,
      expect.stringContaining('upstream: found the address of networking.'),
    ]);
  }
});
