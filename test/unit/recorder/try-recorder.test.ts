import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { originOf } from '../../../src/config/resolve-recorder.ts';
import type { Recorder } from '../../../src/recorder/connect-recorder.ts';
import { systemTimers } from '../../../src/recorder/timers.ts';
import { tryRecorder } from '../../../src/recorder/try-recorder.ts';
import { selfSignedCertificate } from '../../../src/tls/certificate.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';

const configuration = { cameras: { front: {}, yard: {} } };

/** What a recorder answers, but for what a test says otherwise. */
function recorder(changes: Readonly<Record<string, RequestListener>> = {}): RequestListener {
  return (request, response) => {
    const change = changes[request.url ?? ''];
    if (change !== undefined) return change(request, response);
    const body: Readonly<Record<string, string>> = {
      '/api/config': JSON.stringify(configuration),
      '/api/profile': JSON.stringify({ username: 'postern', role: 'admin', allowed_cameras: ['front'] }),
      '/api/version': '0.17.2-abc',
    };
    return response.end(body[request.url ?? ''] ?? '<title>Recorder</title>');
  };
}

async function at(answer: RequestListener): Promise<{ place: Recorder; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { place: { address: { origin: `http://127.0.0.1:${port}` }, authSecret: undefined }, asked };
}

const tried = async (answer: RequestListener, patience?: number) =>
  tryRecorder((await at(answer)).place, systemTimers, patience);
const json =
  (value: unknown): RequestListener =>
  (_, response) =>
    response.end(JSON.stringify(value));

test('of a recorder it is told which cameras it has, and its version', async () => {
  const found = { cameras: ['front', 'yard'], version: '0.17.2-abc', isForEverybody: false };
  expect(await tried(recorder())).toEqual(found);
});

test('on the port where everybody is admin that is told', async () => {
  const everybody = { username: 'anonymous', role: 'admin', allowed_cameras: ['front', 'yard'] };
  expect(await tried(recorder({ '/api/profile': json(everybody) }))).toMatchObject({ isForEverybody: true });
});

test('a version that is none is not repeated', async () => {
  const said = recorder({ '/api/version': (_, response) => response.end('root:x:0:0:root') });
  expect(await tried(said)).toMatchObject({ version: undefined });
});

test.each<[what: string, answer: RequestListener, fault: string]>([
  ['a page', (_, response) => response.end('<title>Intranet</title>'), 'no_configuration'],
  ['JSON of something else', json({ ok: true }), 'no_configuration'],
  ['a recorder without a camera', json({ cameras: {} }), 'no_configuration'],
  ['a login', (_, response) => response.writeHead(401).end(), 'error_status'],
  ['a gate', recorder({ '/postern/api/version': json({ version: '1.0.0' }) }), 'is_gate'],
  ['a connection that is cut', (request) => request.socket.destroy(), 'no_answer'],
])('no recorder: %s', async (_, answer, fault) => {
  expect(await tried(answer)).toEqual({ fault });
});

test('a redirect is followed nowhere', async () => {
  const elsewhere = await at(recorder());
  const { origin } = elsewhere.place.address as { origin: string };
  const { place } = await at((request, response) =>
    response.writeHead(302, { location: `${origin}${request.url}` }).end(),
  );
  expect(await tryRecorder(place, systemTimers)).toEqual({ fault: 'error_status' });
  expect(elsewhere.asked).toEqual([]);
});

test('an answer without an end is cut off', async () => {
  let sent = 0;
  const endless: RequestListener = (_, response) => {
    const more = () => {
      while (!response.destroyed) {
        sent += 65_536;
        if (!response.write(Buffer.alloc(65_536))) break;
      }
    };
    response.on('drain', more);
    more();
  };
  expect(await tried(endless)).toEqual({ fault: 'too_large' });
  expect(sent).toBeLessThan(64 * 1_048_576);
});

test.each<[what: string, answer: RequestListener]>([
  ['says nothing', () => undefined],
  [
    'sends a byte now and then',
    (_, response) => {
      const timer = setInterval(() => response.write('x'), 10);
      response.once('close', () => clearInterval(timer));
    },
  ],
  ['answers the first question alone', recorder({ '/api/profile': () => undefined })],
])('whoever %s is not waited for', async (_, answer) => {
  expect(await tried(answer, 300)).toEqual({ fault: 'no_answer' });
});

test('a certificate of its own making is told apart', async () => {
  const pair = await selfSignedCertificate(temporaryDirectory(), Date.now());
  const server = createTlsServer(pair, recorder()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const ask = (certificate?: string) =>
    tryRecorder(
      { address: { origin: originOf(`https://127.0.0.1:${port}/`), certificate }, authSecret: undefined },
      systemTimers,
    );
  expect(await ask()).toEqual({ fault: 'certificate_unknown' });
  expect(await ask(pair.cert)).toMatchObject({ cameras: ['front', 'yard'] });
});

test('it asks as an admin of its own name, and changes nothing', async () => {
  const { place, asked } = await at(recorder());
  await tryRecorder({ ...place, authSecret: 'a secret' }, systemTimers);
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /api/config',
    'GET /postern/api/version',
    'GET /api/profile',
    'GET /api/version',
  ]);
  for (const { headers } of asked)
    expect(headers).toMatchObject({ 'remote-user': 'postern', 'x-proxy-secret': 'a secret' });
});
