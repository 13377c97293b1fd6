import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { connectTo, sendRaw } from '../support/raw-http.ts';
import { projectRoot } from '../support/start-gateway.ts';
import { startProcess } from '../support/start-process.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { patience } from '../support/patience.ts';

// Clients without an account must not use up the memory or the descriptors of the process.

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const assets = readdirSync(join(projectRoot, 'dist', 'web', 'postern', 'assets'));
const style = `/postern/assets/${assets.find((name) => name.endsWith('.css'))}`;
const mebibyte = 1_048_576;

/** A connection that nothing is read from. */
async function open(address: string, tls: boolean, from?: string): Promise<Socket> {
  const socket = connectTo(address, tls, from);
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, tls ? 'secureConnect' : 'connect');
  return socket.pause();
}

/** Sends 64 KiB of requests at once, and reads nothing. */
async function flood(address: string, tls: boolean, uri: string, from?: string): Promise<void> {
  const socket = await open(address, tls, from);
  const request = `GET ${uri} HTTP/1.1\r\nHost: gate.local\r\n\r\n`;
  socket.write(request.repeat(Math.ceil(65_536 / request.length)));
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 1_500));

describe.each([
  ['plain', 'internal', false],
  ['TLS', 'authenticated', true],
] as const)('pipelined requests with unread answers: %s', (_, listener, tls) => {
  test.each([
    [20, 100],
    [256, 300],
  ])('%i connections take less than %i MiB, and others are answered', async (connections, most) => {
    const running = await startProcess({});
    const address = running.addresses[listener];
    // Warms up what is made only once.
    for (let i = 0; i < 5; i += 1) expect((await sendRaw(address, { uri: style }, tls)).status).toBe(200);
    const before = running.residentMemory();
    for (let i = 0; i < connections; i += 1) await flood(address, tls, style, '127.0.0.2');
    await settled();
    const answer = await sendRaw(address, { uri: style }, tls);
    expect(answer.status).toBe(200);
    expect((running.residentMemory() - before) / mebibyte).toBeLessThan(most);
  });
});

test.each([
  ['a login', 'authenticated', true, '/api/login'],
  ['the recorder, which does not read them', 'internal', false, '/api/upload'],
] as const)(
  'bodies of many small chunks take little: to %s',
  { timeout: patience },
  async (_, listener, tls, uri) => {
    const recorder = await startRecordingUpstream();
    onTestFinished(() => recorder.close());
    recorder.server.removeAllListeners('request');
    const { addresses, residentMemory } = await startProcess({ upstream: `http://${recorder.address}` });
    const head = `POST ${uri} HTTP/1.1\r\nHost: gate.local\r\nContent-Type: application/json\r\n`;
    const before = residentMemory();
    for (let i = 0; i < 50; i += 1) {
      const socket = await open(addresses[listener], tls, '127.0.0.2');
      socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(60_000)}`);
    }
    await settled();
    expect((await sendRaw(addresses.authenticated, { uri: style }, true)).status).toBe(200);
    expect((residentMemory() - before) / mebibyte).toBeLessThan(150);
  },
);

test('few descriptors: one address leaves enough of them to the others', async () => {
  const recorder = await startRecordingUpstream();
  onTestFinished(() => recorder.close());
  // The answers do not end.
  recorder.server.removeAllListeners('request');
  recorder.server.on('request', (request, response) => {
    if (request.url === '/stream') response.write('frame');
    else response.end('recorder');
  });
  const running = await startProcess({ upstream: `http://${recorder.address}` }, 'ulimit -n 256');
  const { internal } = running.addresses;
  expect(running.output()).toContain('ulimit -n');
  for (let i = 0; i < 300; i += 1) await flood(internal, false, '/stream', '127.0.0.2');
  await settled();
  expect(running.openFiles()).toBeLessThan(200);
  expect((await sendRaw(internal, { uri: '/api/version' })).body).toBe('recorder');
  expect((await sendRaw(running.addresses.authenticated, { uri: style }, true)).status).toBe(200);
});
