import { connect } from 'node:net';
import { isPlainObject, readJson } from '../../../policy/json.ts';
import type { Examination } from './examination.ts';
import { type Place, type ProbeAnswer, isSuccess } from './exchange.ts';

/** The server at a port, as far as its answers show. */
export type KnownServer =
  | 'none'
  | 'postern'
  /** Frigate, which lets everyone in. */
  | 'open-frigate'
  /** Frigate, which asks for a login or a secret. */
  | 'frigate'
  | 'go2rtc'
  /** Streams, for everyone. */
  | 'rtsp'
  /** Streams, with a password. */
  | 'closed-rtsp'
  | 'other';

/** Asks what a server is, by a few requests that change nothing. */
export async function identify(place: Place, knock: Examination['knock']): Promise<KnownServer> {
  const greeting = await greet(place);
  if (greeting === undefined) return 'none';
  // go2rtc answers RTSP at a port of its own, and a web server answers with HTTP.
  if (greeting.startsWith('RTSP/')) return /^RTSP\/1\.\d 401/.test(greeting) ? 'closed-rtsp' : 'rtsp';
  for (const tls of [false, true]) {
    const server = await identifyWeb({ ...place, tls }, knock);
    if (server !== 'other') return server;
  }
  return 'other';
}

async function identifyWeb(place: Place, knock: Examination['knock']): Promise<KnownServer> {
  const profile = await knock(place, { target: '/api/profile' });
  if (profile.status === 0) return 'other';
  if (profile.headers.has('x-postern-decision')) return 'postern';
  const version = await knock(place, { target: '/api/version' });
  if (version.headers.has('x-postern-decision')) return 'postern';
  if (isSuccess(version) && /^\d+\.\d+\.\d+(?:-[\w.]+)?\s*$/.test(version.body)) return 'open-frigate';
  if (await isGo2rtc(place, knock)) return 'go2rtc';
  // A page that needs no login.
  const login = await knock(place, { target: '/login' });
  return isSuccess(login) && /<title>Frigate<\/title>/i.test(login.body) ? 'frigate' : 'other';
}

async function isGo2rtc(place: Place, knock: Examination['knock']): Promise<boolean> {
  const answer = await knock(place, { target: '/api' });
  if (realmOf(answer).includes('go2rtc')) return true;
  const said = readJson(answer.body);
  return isSuccess(answer) && isPlainObject(said) && 'config_path' in said && 'version' in said;
}

function realmOf({ headers }: ProbeAnswer): string {
  return headers.get('www-authenticate')?.join() ?? '';
}

/** Milliseconds. */
const patience = 2_000;

/** @returns the first bytes of the answer to a request of RTSP, which may be none; `undefined` if nothing listens */
function greet({ host, port }: Place): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const socket = connect({ host, port });
  let isOpen = false;
  const end = (text = '') => resolve(isOpen ? text : undefined);
  const timer = setTimeout(end, patience);
  socket.once('connect', () => {
    isOpen = true;
    socket.write('OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n');
  });
  socket.once('data', (chunk) => end(chunk.toString('latin1')));
  socket.once('error', () => end());
  socket.once('close', () => end());
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}
