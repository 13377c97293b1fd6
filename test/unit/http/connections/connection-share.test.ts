import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createConnectionShare } from '../../../../src/http/connections/connection-share.ts';
import { guardConnections } from '../../../../src/http/connections/guard-connections.ts';
import { selfSignedCertificate } from '../../../../src/http/tls/certificate.ts';
import { patience } from '../../../support/patience.ts';
import { temporaryDirectory } from '../../store/temporary-store.ts';

const closing: Array<() => void> = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const limits = { headerTimeout: 60_000, bodyTimeout: 60_000, writeTimeout: 60_000 };
const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const upgrade = 'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

/** A server with three places, which answers `/` and leaves everything else open. */
async function serverOf(kind: 'plain' | 'TLS', of: 'clients' | 'fronts' = 'clients') {
  const server: Server =
    kind === 'plain'
      ? createServer()
      : createTlsServer({ ...(await selfSignedCertificate(temporaryDirectory(), Date.now())) });
  const said: Array<'idle' | 'new'> = [];
  const open: ServerResponse[] = [];
  const share = createConnectionShare({
    perClient: () => 100,
    total: () => 3,
    clientOf: (address) => address,
    onMost: () => undefined,
    onTurnedAway: () => undefined,
    onFull: (_, closed) => void said.push(closed),
  });
  share(server, of);
  server.on('request', ({ url }, response) => {
    if (url === '/') response.end('done');
    else open.push(response);
  });
  server.on('upgrade', (_, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  guardConnections(
    server,
    () => limits,
    () => undefined,
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const visit = async (text?: string, isAnswered = true): Promise<Socket> => {
    const socket =
      kind === 'plain'
        ? connect(port, '127.0.0.1')
        : connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    closing.push(() => socket.destroy());
    socket.on('error', () => undefined);
    socket.once('close', () => closed.add(socket));
    const isOpen = once(socket, kind === 'plain' ? 'connect' : 'secureConnect').catch(() => undefined);
    await Promise.race([isOpen, once(socket, 'close').catch(() => undefined)]);
    if (text !== undefined) await send(socket, text, isAnswered);
    return socket;
  };
  const closed = new Set<Socket>();
  return { visit, said, closed, open };
}

async function send(socket: Socket, text: string, isAnswered = true): Promise<void> {
  socket.resume();
  const answer = isAnswered ? once(socket, 'data') : undefined;
  socket.write(text);
  await answer;
}

const soon = (check: () => unknown) => vi.waitFor(check, patience);

describe.each(['plain', 'TLS'] as const)('when all places are taken (%s)', (kind) => {
  test('idle connections give way, the oldest first', async () => {
    const { visit, said, closed } = await serverOf(kind);
    const first = await visit();
    const second = await visit();
    const third = await visit();
    const next = await visit(request('/'));
    await soon(() => expect([...closed]).toEqual([first]));
    await visit(request('/'));
    await soon(() => expect([...closed]).toEqual([first, second]));
    await visit(request('/'));
    await soon(() => expect([...closed]).toEqual([first, second, third]));
    expect(next.destroyed).toBe(false);
    expect(said).toEqual(['idle', 'idle', 'idle']);
  });

  test('a connection is as old as its last request', async () => {
    const { visit, closed } = await serverOf(kind);
    const first = await visit(request('/'));
    const second = await visit();
    await visit();
    await send(first, request('/'));
    await visit(request('/'));
    await soon(() => expect([...closed]).toEqual([second]));
  });

  test('requests and WebSockets under way stay, and the new one goes', async () => {
    const { visit, said, closed, open } = await serverOf(kind);
    const busy = [
      await visit(upgrade),
      await visit(request('/long'), false),
      await visit('POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx', false),
    ];
    await soon(() => expect(open).toHaveLength(2));
    const next = await visit();
    await soon(() => expect([...closed]).toEqual([next]));
    expect(said).toEqual(['new']);
    expect(busy.some(({ destroyed }) => destroyed)).toBe(false);
    // Its answer is sent, and it gives way.
    open[0]?.end();
    await once(busy[1] as Socket, 'data');
    const last = await visit(request('/'));
    await soon(() => expect(closed.has(busy[1] as Socket)).toBe(true));
    expect(last.destroyed).toBe(false);
  });

  test('connections of fronts never give way', async () => {
    const { visit, said, closed } = await serverOf(kind, 'fronts');
    for (let i = 0; i < 3; i += 1) await visit();
    const next = await visit();
    await soon(() => expect([...closed]).toEqual([next]));
    expect(said).toEqual(['new']);
  });
});
