import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { originOf } from '../../../src/config/resolve-recorder.ts';
import type { Recorder } from '../../../src/recorder/connect-recorder.ts';
import { systemTimers } from '../../../src/clock.ts';
import { tryRecorder } from '../../../src/recorder/try-recorder.ts';
import { selfSignedCertificate } from '../../../src/http/tls/certificate.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';

const configuration = { cameras: { front: {}, yard: {} } };

/** What a recorder answers, unless a test changes it. */
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

const tried = async (answer: RequestListener, timeoutMs?: number) =>
  tryRecorder((await at(answer)).place, systemTimers, timeoutMs);
const json =
  (value: unknown): RequestListener =>
  (_, response) =>
    response.end(JSON.stringify(value));

test('returns the cameras and the version of a recorder', async () => {
  const found = { cameras: ['front', 'yard'], version: '0.17.2-abc', isEveryoneAdmin: false };
  expect(await tried(recorder())).toEqual(found);
});

test('reports the port where everyone is admin', async () => {
  const anonymous = { username: 'anonymous', role: 'admin', allowed_cameras: ['front', 'yard'] };
  expect(await tried(recorder({ '/api/profile': json(anonymous) }))).toMatchObject({ isEveryoneAdmin: true });
});

test('does not repeat an invalid version', async () => {
  const said = recorder({ '/api/version': (_, response) => response.end('root:x:0:0:root') });
  expect(await tried(said)).toMatchObject({ version: undefined });
});

test.each<[what: string, answer: RequestListener, fault: string]>([
  ['a page', (_, response) => response.end('<title>Intranet</title>'), 'no_configuration'],
  ['JSON of something else', json({ ok: true }), 'no_configuration'],
  ['a recorder without a camera', json({ cameras: {} }), 'no_configuration'],
  ['an error', (_, response) => response.writeHead(500).end(), 'error_status'],
  ['an error of the request', (_, response) => response.writeHead(400).end(), 'error_status'],
  ['a login', (_, response) => response.writeHead(401).end(), 'asks_for_login'],
  [
    'a redirect to a login',
    (_, response) => response.writeHead(302, { location: '/login?next=%2F' }).end(),
    'asks_for_login',
  ],
  [
    'a login for the profile alone',
    recorder({ '/api/profile': (_, response) => response.writeHead(401).end() }),
    'asks_for_login',
  ],
  ['a gate', recorder({ '/postern/api/version': json({ version: '1.0.0' }) }), 'is_gate'],
  ['a connection that is cut', (request) => request.socket.destroy(), 'no_answer'],
])('no recorder: %s', async (_, answer, fault) => {
  expect(await tried(answer)).toEqual({ fault });
});

test('does not follow redirects', async () => {
  const elsewhere = await at(recorder());
  const { origin } = elsewhere.place.address as { origin: string };
  const { place } = await at((request, response) =>
    response.writeHead(302, { location: `${origin}${request.url}` }).end(),
  );
  expect(await tryRecorder(place, systemTimers)).toEqual({ fault: 'error_status' });
  expect(elsewhere.asked).toEqual([]);
});

test('cuts off an endless answer', async () => {
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
])('does not wait for a server that %s', async (_, answer) => {
  expect(await tried(answer, 300)).toEqual({ fault: 'no_answer' });
});

/** A server that speaks TLS, and what it does with a request in plain HTTP. */
async function tlsAt(refuse: (socket: Socket) => void): Promise<string> {
  const pair = await selfSignedCertificate(temporaryDirectory(), Date.now());
  const tls = createTlsServer(pair, recorder());
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null;
      if (first === null) return;
      if (first[0] !== 0x16) return refuse(socket);
      socket.unshift(first);
      tls.emit('connection', socket);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each<[how: string, refuse: (socket: Socket) => void]>([
  [
    'answers 400, as a recorder',
    (socket) =>
      void socket.end(
        'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\nThe plain HTTP request was sent to HTTPS port',
      ),
  ],
  ['closes the connection', (socket) => void socket.end()],
  ['resets the connection', (socket) => void socket.resetAndDestroy()],
  ['sends an alert of TLS', (socket) => void socket.end(Buffer.from('15030100020246', 'hex'))],
])('plain HTTP to a port with TLS, which %s', async (_, refuse) => {
  const place = await tlsAt(refuse);
  const ask = (origin: string) => tryRecorder({ address: { origin }, authSecret: undefined }, systemTimers);
  expect(await ask(`http://${place}`)).toEqual({ fault: 'speaks_tls' });
  expect(await ask(`https://${place}`)).toEqual({ fault: 'certificate_unknown' });
});

test('reports a port that speaks plain HTTP', async () => {
  const { place } = await at(recorder());
  const { origin } = place.address as { origin: string };
  const address = { origin: origin.replace('http:', 'https:') };
  expect(await tryRecorder({ ...place, address }, systemTimers)).toEqual({ fault: 'speaks_no_tls' });
});

test('reports a self-signed certificate', async () => {
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

test('asks as the admin `postern`, and changes nothing', async () => {
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
