import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  everyFront,
  startFrontedGateway,
  type AnyFront,
  type FrontedGateway,
} from '../../support/every-front.ts';
import { adminOf, type Visitor } from '../../support/log-in.ts';
import { connectTo } from '../../support/raw-http.ts';
import { reachedIdentity } from './reached-identity.ts';

let running: FrontedGateway;
let admin: Visitor;

beforeAll(async () => {
  running = await startFrontedGateway();
  admin = await adminOf(running.gateway);
});
afterAll(() => running.close());
beforeEach(() => void running.upstream.takeReached());

const trailers = ['Remote-User: mallory', 'Remote-Role: mallory', 'X-Trailer: mallory'].join('\r\n');

/** Sends a body in chunks and its trailers. @returns the status line */
async function sendChunked(front: AnyFront, lines: readonly string[]): Promise<string> {
  const socket = connectTo(front.address, front.tls);
  const head = ['POST /api/restart HTTP/1.1', 'Host: gate.local', 'Transfer-Encoding: chunked', ...lines];
  socket.write(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n4\r\nbody\r\n0\r\n${trailers}\r\n\r\n`);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return received.split('\r\n', 1)[0] ?? '';
}

test.each(
  everyFront.flatMap((name) => [
    [name, 'that are announced', ['Trailer: Remote-User, Remote-Role, X-Trailer', 'TE: trailers']] as const,
    [name, 'that nothing announces', []] as const,
  ]),
)('%s passes on no trailers %s', async (name, _, announcement) => {
  const status = await sendChunked(running.front(name), [
    `Cookie: session_token=${admin.token}`,
    ...announcement,
  ]);
  const reached = running.upstream.takeReached();
  // HAProxy takes no body in chunks: of its versions before 3.2 none can leave trailers out.
  expect([status.split(' ')[1], reached.length]).toEqual(name === 'HAProxy' ? ['411', 0] : ['200', 1]);
  for (const { rawHeaders, rawTrailers } of reached) {
    expect(rawTrailers).toEqual([]);
    expect(reachedIdentity(rawHeaders)).toEqual({ user: ['admin'], role: ['admin'] });
  }
});

test('HAProxy accepts no HTTP/2 without negotiation, whose trailers need no chunks', async () => {
  const { address, tls } = running.front('HAProxy');
  const socket: Socket = connectTo(address, tls);
  await once(socket, 'secureConnect');
  const session = connectHttp2('http://gate.local', { createConnection: () => socket });
  const stream = session.request(
    { ':method': 'POST', ':path': '/api/restart', cookie: `session_token=${admin.token}` },
    { waitForTrailers: true },
  );
  stream.on('wantTrailers', () => stream.sendTrailers({ 'remote-user': 'mallory' }));
  stream.end('body');
  await new Promise((resolve) => {
    for (const emitter of [stream, session]) emitter.once('error', resolve).once('close', resolve);
    stream.once('response', resolve);
  });
  session.destroy();
  expect(running.upstream.takeReached()).toEqual([]);
});
