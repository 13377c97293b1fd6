import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { printedPassword, visitor } from '../support/log-in.ts';
import { startGateway } from '../support/start-gateway.ts';

// A request is decided again by another configuration: about the target that is sent on, whatever `base_path` has become.

/** A gate below /cam before a recorder whose live picture never ends; `reached` has what came to it. */
async function site() {
  const reached: string[] = [];
  const recorder = createServer((request, response) => {
    if (request.headers['remote-user'] === 'postern') return response.writeHead(404).end();
    reached.push(request.url ?? '');
    return request.url === '/api/front_door' ? response.write('part') : response.end('PICTURE');
  }).listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  onTestFinished(() => recorder.closeAllConnections());
  onTestFinished(() => void recorder.close());
  const gate = await startGateway({
    config: {
      tls: { enabled: false },
      base_path: '/cam',
      cameras: ['front_door', 'garage'],
      auth: { roles: { family: ['front_door'] } },
      limits: { upstream_connections: 1 },
      upstream: `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`,
    },
  });
  const at = gate.addresses.authenticated ?? '';
  const admin = visitor(at, false);
  await admin.logIn('admin', printedPassword(gate));
  const password = 'correct-horse-battery';
  await admin.send('POST', '/api/users', { username: 'vera', password, role: 'family' });
  const vera = visitor(at, false);
  await vera.logIn('vera', password);
  return { gate, reached, admin, vera, at };
}

function open(at: string, uri: string, token: string) {
  const [host = '', port] = at.split(':');
  const socket = connect(Number(port), host).on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  const opened = { socket, got: '', isClosed: false };
  socket.on('data', (data) => (opened.got += String(data))).on('close', () => (opened.isClosed = true));
  socket.write(`GET ${uri} HTTP/1.1\r\nHost: gate.local\r\nCookie: session_token=${token}\r\n\r\n`);
  return opened;
}

/** Moves the gate, and gives the role another camera. */
async function moveAndRevoke({ gate }: Awaited<ReturnType<typeof site>>): Promise<void> {
  const file = join(gate.directory, 'config.yml');
  const text = readFileSync(file, 'utf8');
  const moved = text.replace('base_path: /cam', 'base_path: /other');
  writeFileSync(file, moved.replace(/(family:\s*- )front_door/, '$1garage'));
  await gate.reloading.reload('a file changed');
}

test('a request that waits for a connection is refused once its camera is revoked', async () => {
  const running = await site();
  const { at, admin, vera, reached } = running;
  const holding = open(at, '/cam/api/front_door', admin.token ?? '');
  await vi.waitFor(() => expect(reached).toEqual(['/api/front_door']));
  const waiting = open(at, '/cam/api/front_door/latest.jpg', vera.token ?? '');
  const isWaiting: unknown = expect.objectContaining({ path: '/api/front_door/latest.jpg' });
  await vi.waitFor(() => expect(running.gate.log).toContainEqual(isWaiting), 10_000);
  await moveAndRevoke(running);
  holding.socket.destroy();
  await vi.waitFor(() => expect(waiting.got).toMatch(/^HTTP\/1\.1 403 /), 10_000);
  expect(reached).toEqual(['/api/front_door']);
});

test('an open stream is cut once its camera is revoked', async () => {
  const running = await site();
  const { at, vera } = running;
  const stream = open(at, '/cam/api/front_door', vera.token ?? '');
  await vi.waitFor(() => expect(stream.got).toContain('part'));
  await moveAndRevoke(running);
  await vi.waitFor(() => expect(stream.isClosed).toBe(true), 10_000);
});
