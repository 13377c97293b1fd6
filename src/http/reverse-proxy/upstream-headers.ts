import { carriesOwnCredential } from '../../policy/authorization-header.ts';
import { identityHeaders, retiredHeader, type IdentityHeaders } from '../../policy/identity-headers.ts';
import { hopsHeader } from './hops.ts';
import { setsOwnCookie, withoutOwnCookies, type IsOwnCookie } from '../../policy/own-cookies.ts';
import { isHost } from '../../policy/forwarded.ts';
import type { Identity } from '../../policy/identity.ts';
import { headerAlias, headerValues, isAliasOf, isNamed, type RawHeaders } from '../../policy/raw-headers.ts';

// RFC 9110, 7.6.1, and headers that are defined for one hop.
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

/** Only a front may set these: a client's own values are removed. */
const frontHeaders = [
  'host',
  'x-proxy-secret',
  'x-front-secret',
  'x-original-url',
  'x-original-uri',
  'x-original-method',
  'x-original-host',
  'x-rewrite-url',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-method',
  'x-forwarded-uri',
  'x-forwarded-prefix',
  'x-forwarded-server',
  'x-real-ip',
  'x-server-port',
  'x-ingress-path',
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  'forwarded',
  hopsHeader,
];

export interface ClientConnection {
  readonly address: string;
  readonly secure: boolean;
  /** The address is in a network whose X-Forwarded-For is trusted. */
  readonly trusted: boolean;
  /** Path prefix below which the client sees the site; empty at the root. */
  readonly prefix: string;
  /** The host that the client asked for, from a front. Omit for that of `Host`. */
  readonly host?: string | undefined;
}

/** Aliases of every header that the front removes from a client's request. */
export function strippedHeaders(trustedHeaders: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...identityHeaders, retiredHeader, ...frontHeaders, ...trustedHeaders].map(headerAlias));
}

/** The client as the upstream learns of it. */
interface Sender {
  readonly identity: IdentityHeaders;
  readonly client: ClientConnection;
  /** The upstream expects it in `X-Proxy-Secret`. */
  readonly secret?: string | undefined;
}

/**
 * Header lines for the upstream: the client's, without hop-by-hop headers and anything that could be read as an identity,
 * and with the identity that the gate found.
 */
export function upstreamHeaders(
  sent: RawHeaders,
  stripped: ReadonlySet<string>,
  { identity, client, secret }: Sender,
): string[] {
  const headers = withoutHop(sent, droppedWith(stripped));
  for (const [name, value] of Object.entries(identity)) headers.push(name, value);
  const hops = client.trusted ? headerValues(sent, 'x-forwarded-for') : [];
  if (client.address !== '') headers.push('x-forwarded-for', [...hops, client.address].join(', '));
  headers.push('x-forwarded-proto', client.secure ? 'https' : 'http');
  // Frigate's UI finds itself by the second.
  if (client.prefix !== '')
    headers.push('x-forwarded-prefix', client.prefix, 'x-ingress-path', client.prefix);
  const host = client.host ?? headerValues(sent, 'host')[0];
  if (host !== undefined && isHost(host)) headers.push('host', host, 'x-forwarded-host', host);
  if (secret !== undefined) headers.push('x-proxy-secret', secret);
  return headers;
}

/**
 * Header lines of a client without its credentials for the gate. Other cookies stay, and so does an `Authorization` that was not used
 * to authenticate at the gate.
 */
export function withoutCredentials(
  sent: RawHeaders,
  isOwn: IsOwnCookie,
  identity: Pick<Identity, 'source'> | undefined,
): RawHeaders {
  const kept: string[] = [];
  for (let i = 0; i + 1 < sent.length; i += 2) {
    const name = sent[i] as string;
    let value = sent[i + 1] as string;
    if (isNamed(name, 'authorization') && isUnderstood(value, identity)) continue;
    if (isNamed(name, 'cookie')) {
      const others = withoutOwnCookies(value, isOwn);
      if (others === '') continue;
      value = others;
    }
    kept.push(name, value);
  }
  return kept;
}

/** Only the gate creates such credentials: even one that was not used is meant only for the gate. */
function isUnderstood(authorization: string, identity: Pick<Identity, 'source'> | undefined): boolean {
  const source = identity?.source;
  return source === 'bearer' || source === 'api-token' || carriesOwnCredential(authorization);
}

/** Header lines of an upstream's answer, without hop-by-hop headers and those that only the gate sends. */
export function clientHeaders(answered: RawHeaders, isOwn: IsOwnCookie): string[] {
  const lines = withoutHop(answered, isOfHop);
  const kept: string[] = [];
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const name = lines[i] as string;
    const value = lines[i + 1] as string;
    if (isNamed(name, 'set-cookie') && setsOwnCookie(value, isOwn)) continue;
    if (isAliasOf(name, retiredHeader)) continue;
    kept.push(name, value);
  }
  return kept;
}

/** Filters header lines from a client to the upstream, and back. */
export interface PassedHeaders {
  sent(headers: RawHeaders, identity: Identity | undefined): RawHeaders;
  answered(headers: RawHeaders): string[];
  /** Header lines that are added to every answer. */
  readonly added: readonly string[];
}

/** Passes all header lines on, except those that belong to the gate. */
export function passedHeaders(isOwn: IsOwnCookie): PassedHeaders {
  return {
    sent: (headers, identity) => withoutCredentials(headers, isOwn, identity),
    answered: (headers) => clientHeaders(headers, isOwn),
    added: [],
  };
}

type IsDropped = (name: string) => boolean;

// Names; clients that send others pay for them.
const mostRemembered = 256;
const longestRemembered = 64;

/**
 * Caches results by the name as it was sent. This, and not lower-casing each name in search of one that `Connection` lists, saves
 * about 3 of 75 µs for a picture of 20 KB.
 */
function remembering(isDropped: IsDropped): IsDropped {
  const known = new Map<string, boolean>();
  return (name) => {
    const remembered = known.get(name);
    if (remembered !== undefined) return remembered;
    const found = isDropped(name);
    if (known.size < mostRemembered && name.length <= longestRemembered) known.set(name, found);
    return found;
  };
}

const isOfHop = remembering((name) => hopByHop.has(name.toLowerCase()));

const droppedBySet = new WeakMap<ReadonlySet<string>, IsDropped>();

function droppedWith(stripped: ReadonlySet<string>): IsDropped {
  let isDropped = droppedBySet.get(stripped);
  if (isDropped === undefined) {
    isDropped = remembering((name) => hopByHop.has(name.toLowerCase()) || stripped.has(headerAlias(name)));
    droppedBySet.set(stripped, isDropped);
  }
  return isDropped;
}

function withoutHop(headers: RawHeaders, isDropped: IsDropped): string[] {
  const listed = listedByConnection(headers);
  const kept: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] as string;
    if (isDropped(name) || (listed.size > 0 && listed.has(name.toLowerCase()))) continue;
    kept.push(name, headers[i + 1] as string);
  }
  return kept;
}

/** Headers listed by `Connection`, which are hop-by-hop too, in lower case. */
function listedByConnection(headers: RawHeaders): ReadonlySet<string> {
  const listed = new Set<string>();
  for (const value of headerValues(headers, 'connection'))
    for (const option of value.split(',')) listed.add(option.trim().toLowerCase());
  // Nearly always the only one, and hop-by-hop anyway.
  listed.delete('keep-alive');
  return listed;
}
