import { randomUUID, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text as bodyOf } from 'node:stream/consumers';
import { checkServerIdentity, rootCertificates, type PeerCertificate } from 'node:tls';
import { createSessionTokens } from '../accounts/sessions/session-token.ts';
import type { Clock } from '../clock.ts';
import { selfSignedFiles } from '../config/own-files.ts';
import { isPlainObject, readJson } from '../policy/json.ts';
import { readText } from '../config/read-file.ts';

/** A user whose view is looked at. */
export interface Visitor {
  readonly username: string;
  readonly role: string;
  readonly generation: string;
  /** Cameras that the role has; undefined: all. */
  readonly cameras: readonly string[] | undefined;
}

interface Checking {
  readonly url: URL;
  /** Signs sessions. */
  readonly secret: string;
  readonly cookieName: string;
  /** The value that a proxy in front sends in `X-Proxy-Secret`. Absent where Postern expects none. */
  readonly proxySecret: string | undefined;
  /** Configuration directory, which has Postern's own certificate. */
  readonly directory: string;
  /** All cameras of Frigate's file. */
  readonly cameras: readonly string[];
  readonly clock: Clock;
}

export interface Seen {
  readonly isFault: boolean;
  /** The user and the role. */
  readonly who: string;
  readonly what: string;
}

/** One line for each user; a fault that several have is said once. */
export function linesOf(seen: readonly Seen[]): readonly string[] {
  const same = [...Map.groupBy(seen, ({ isFault, who, what }) => (isFault ? what : who)).values()];
  return same.flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { isFault, what } = first;
    return `${isFault ? 'FAULT ' : 'ok    '} ${group.map(({ who }) => who).join(', ')}: ${what}`;
  });
}

/** Milliseconds, for a request and for a session. */
const patience = 10_000;
const sessionLength = 60_000;

/** Looks at Frigate's page through Postern as a user, by a session of a minute. */
export async function lookAs(visitor: Visitor, checking: Checking): Promise<Seen> {
  const { username, role, cameras = checking.cameras } = visitor;
  const who = `${username} (${role})`;
  const fault = (what: string): Seen => ({ isFault: true, who, what });
  const cookie = `${checking.cookieName}=${await sessionOf(visitor, checking)}`;
  try {
    const page = await get('/', 'text/html', cookie, checking);
    if (page.status !== 200 || !page.type.startsWith('text/html'))
      return fault(`Frigate's page is not there (${page.status}), ${adviceOn(page.status)}`);
    const answer = await get('/api/config', 'application/json', cookie, checking);
    const configuration = readJson(answer.body);
    const found = isPlainObject(configuration) ? configuration['cameras'] : undefined;
    if (answer.status !== 200 || !isPlainObject(found))
      return fault(`Frigate's page has no cameras (${answer.status}), ${adviceOn(answer.status)}`);
    const shown = Object.keys(found);
    if (shown.length === 0) return fault("Frigate's page has no cameras");
    const missing = cameras.filter((camera) => !shown.includes(camera));
    if (missing.length > 0) return fault(`Frigate's page lacks ${missing.join(', ')}`);
    return {
      isFault: false,
      who,
      what: `Frigate's page, with ${(cameras.length > 0 ? cameras : shown).join(', ')}`,
    };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return fault(`${checking.url.origin} cannot be asked (${code ?? message})`);
  } finally {
    // It would end in a minute anyway.
    await get('/logout', 'text/html', cookie, checking).catch(() => undefined);
  }
}

function adviceOn(status: number): string {
  if (status === 401 || status === 303 || status === 302)
    return 'so the session was not accepted: is it this Postern, with this configuration directory?';
  if (status === 403) return 'so Postern refused: "postern explain" and its log have the reason';
  return 'so Frigate did not answer: is it running, with the name of upstream?';
}

function sessionOf({ username, role, generation }: Visitor, { secret, clock }: Checking): Promise<string> {
  const now = clock.now();
  const claims = {
    username,
    issuedAt: now,
    expiresAt: now + sessionLength,
    sessionId: randomUUID(),
    generation,
  };
  return createSessionTokens(secret, clock).issue(claims, role);
}

interface Fetched {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Postern's own certificate is accepted under any name. */
async function get(
  path: string,
  accept: string,
  cookie: string,
  { url, directory, proxySecret }: Checking,
): Promise<Fetched> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asking = (url.protocol === 'https:' ? requestHttps : requestHttp)(
    new URL(path, url),
    {
      headers: {
        cookie,
        accept,
        'user-agent': 'postern adopt',
        ...(proxySecret !== undefined && { 'x-proxy-secret': proxySecret }),
      },
      timeout: patience,
      agent: false,
      ...(url.protocol === 'https:' && trustIn(directory)),
    },
    resolve,
  );
  asking.on('timeout', () => asking.destroy(new Error('no answer')));
  asking.on('error', reject);
  asking.end();
  const response = await promise;
  return {
    status: response.statusCode ?? 0,
    type: response.headers['content-type'] ?? '',
    body: await bodyOf(response),
  };
}

function trustIn(directory: string) {
  const file = selfSignedFiles(directory).cert;
  if (!existsSync(file)) return {};
  const own = readText(file);
  const { raw } = new X509Certificate(own);
  return {
    ca: [own, ...rootCertificates],
    checkServerIdentity: (host: string, peer: PeerCertificate) =>
      peer.raw.equals(raw) ? undefined : checkServerIdentity(host, peer),
  };
}
