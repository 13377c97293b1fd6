import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminOf, type Visitor } from '../support/log-in.ts';
import { connectTo } from '../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../support/recording-upstream.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

/* A client that sends half of a body and leaves, again and again: its lines in the log are short, and few. */

let upstream: RecordingUpstream;
let gateway: RunningGateway;
let admin: Visitor;
beforeAll(async () => {
  upstream = await startRecordingUpstream();
  gateway = await startGateway({ config: { upstream: `http://${upstream.address}` } });
  admin = await adminOf(gateway);
});
afterAll(async () => {
  await gateway?.close();
  await upstream?.close();
});

/** Leaves when the gate waits for the body. */
const leave = async (uri: string) => {
  const socket = connectTo(gateway.addresses.authenticated ?? '', true).on('error', () => undefined);
  socket.write(
    `POST ${uri} HTTP/1.1\r\nHost: gate.local\r\nCookie: session_token=${admin.token}\r\nContent-Type: application/json\r\nContent-Length: 900\r\nExpect: 100-continue\r\n\r\n`,
  );
  await once(socket, 'data');
  socket.write('{"user":');
  socket.destroy();
  await once(socket, 'close');
};

const linesAfter = (before: number) => gateway.log.slice(before).filter(({ level }) => level !== 'debug');

test.each([
  ['the login', '/api/login'],
  ['an endpoint of the gate', '/api/users'],
  ['the recorder', '/api/restart'],
])('once, to %s: one line without a stack', async (_, uri) => {
  const before = gateway.log.length;
  await leave(uri);
  await expect.poll(() => linesAfter(before).length).toBeGreaterThan(0);
  expect(linesAfter(before)).toEqual([
    expect.objectContaining({ level: 'info', code: 'client_left', address: '127.0.0.1' }),
  ]);
});

test('many times: what they write has a bound', async () => {
  const before = gateway.log.length;
  for (let sent = 0; sent < 800; sent += 40)
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => leave(i % 2 === 0 ? '/api/login' : '/api/restart')),
    );
  await expect.poll(() => linesAfter(before).length).toBeGreaterThan(250);
  // 300 a minute, and another minute may have begun.
  expect(linesAfter(before).length).toBeLessThanOrEqual(600);
});
