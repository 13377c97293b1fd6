import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { createServer as createRaw, type AddressInfo, type Server } from 'node:net';
import { selfSignedCertificate } from '../../src/http/tls/certificate.ts';

/** A server that answers as one of the ports of Frigate's container does, on a free port. */
export interface FrigatePort extends AsyncDisposable {
  /** `host:port` */
  readonly address: string;
}

export type PortKind = keyof typeof answers;

/** Port 5000, and 8971 without a login. */
const openFrigate: RequestListener = ({ url }, response) => {
  if (url === '/api/version') response.end('0.17.2-3f1c2a9');
  else if (url === '/api/profile')
    response.end(JSON.stringify({ username: 'anonymous', role: 'admin', allowed_cameras: [] }));
  else response.writeHead(404).end();
};

/** Port 8971. */
const frigateWithLogin: RequestListener = ({ url }, response) => {
  if (url === '/login') response.end('<!doctype html><html><head><title>Frigate</title></head></html>');
  else response.writeHead(401, { 'content-type': 'text/html' }).end('<h1>401 Authorization Required</h1>');
};

const go2rtc: RequestListener = ({ url }, response) => {
  if (url === '/api')
    response.end(JSON.stringify({ config_path: '/dev/shm/go2rtc.yaml', host: 'x', version: '1.9.10' }));
  else response.writeHead(404).end('404 page not found');
};

const go2rtcWithPassword: RequestListener = (_, response) =>
  response.writeHead(401, { 'www-authenticate': 'Basic realm="go2rtc"' }).end();

/** Any other program that has the same port. */
const anotherSite: RequestListener = (_, response) => response.end('<title>Files</title>');

const answers = {
  openFrigate,
  frigateWithLogin,
  go2rtc,
  go2rtcWithPassword,
  anotherSite,
  rtsp: 'RTSP/1.0 200 OK\r\nCSeq: 1\r\nPublic: OPTIONS, DESCRIBE\r\n\r\n',
  rtspWithPassword: 'RTSP/1.0 401 Unauthorized\r\nCSeq: 1\r\n\r\n',
  /** WebRTC over TCP: it waits for a browser that go2rtc knows. */
  silent: '',
} as const;

/** @param directory gets the certificate of a server with TLS */
export async function startFrigatePort(
  kind: PortKind,
  directory: string,
  { tls = false } = {},
): Promise<FrigatePort> {
  const answer = answers[kind];
  const server = await serverOf(answer, tls ? directory : undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => void (await new Promise((resolve) => server.close(resolve))),
  };
}

async function serverOf(answer: RequestListener | string, directory: string | undefined): Promise<Server> {
  if (typeof answer === 'string')
    return createRaw((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', () => answer !== '' && socket.end(answer));
      socket.once('end', () => socket.end());
    });
  if (directory === undefined) return createServer(answer);
  return createSecure(await selfSignedCertificate(directory, Date.now()), answer);
}
