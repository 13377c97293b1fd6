import { request } from 'node:http';
import { startProgram, measureScript } from './child.ts';

/** What nginx asks with when a browser asks it for the newest events: authorization-request.conf and the client's own headers. */
export function authorizationRequest(
  identity: Readonly<Record<string, string>>,
  uri = '/api/events?limit=25',
) {
  return {
    Host: 'postern',
    'X-Original-Method': 'GET',
    'X-Original-URL': uri,
    'X-Forwarded-For': '192.0.2.7',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'cameras.example',
    ...browserHeaders,
    ...identity,
  };
}

export const browserHeaders = {
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  Accept: 'application/json',
  'Accept-Language': 'en-US,en;q=0.5',
  'Accept-Encoding': 'gzip, deflate, br',
  'Sec-Fetch-Mode': 'cors',
  'Sec-Fetch-Site': 'same-origin',
} as const;

export function withCookie(token: string): Readonly<Record<string, string>> {
  return { Cookie: `session_token=${token}` };
}

export interface BareServer {
  /** `host:port` or `unix:/path` */
  readonly address: string;
  readonly pid: number;
}

/**
 * A `node:http` server in its own process with exactly the gate's answer to an authorization request.
 * @param listen `127.0.0.1:0` or `unix:/path`
 */
export async function startBareServer(
  gate: string,
  headers: Readonly<Record<string, string>>,
  listen = '127.0.0.1:0',
): Promise<BareServer> {
  const { status, lines: header } = await answerOf(gate, headers);
  if (status !== 200) throw new Error(`the gate answers ${status}`);
  const answer = JSON.stringify(header);
  const { lines, pid } = await startProgram(measureScript('bare-server.ts', listen, answer), () => true);
  const address = lines[0] ?? '';
  const bare = JSON.stringify((await answerOf(address, headers)).lines);
  if (bare !== answer) throw new Error(`the bare server answers ${bare} where the gate answers ${answer}`);
  return { address, pid };
}

/** Set by `node:http` itself, in the gate as in the bare server. */
const nodeHeaders = new Set(['date', 'connection', 'keep-alive']);

/** The answer of `/auth`: name and value of its header lines in turns. */
export async function answerOf(
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number | undefined; readonly lines: string[] }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof answerOf>>>();
  const where = address.startsWith('unix:')
    ? { socketPath: address.slice('unix:'.length) }
    : { host: '127.0.0.1', port: Number(address.split(':')[1]) };
  const asked = request({ ...where, path: '/auth', headers, agent: false }, (answer) => {
    answer.resume();
    const raw = answer.rawHeaders;
    const isOwn = (index: number) => !nodeHeaders.has((raw[index - (index % 2)] ?? '').toLowerCase());
    resolve({ status: answer.statusCode, lines: raw.filter((_, index) => isOwn(index)) });
  });
  asked.on('error', reject);
  asked.end();
  return promise;
}
