import { identityHeaders, type IdentityHeaders } from '../identity-headers.ts';
import { isHost } from '../policy/host.ts';
import { headerAlias, headerValues, type RawHeaders } from '../policy/raw-headers.ts';

// RFC 9110, 7.6.1, and what belongs to one hop by its own definition.
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

/** What only a front may say: a client's own words under these names go no further. */
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
];

export interface ClientConnection {
  readonly address: string;
  readonly secure: boolean;
  /** The networks whose X-Forwarded-For is believed contain the address. */
  readonly trusted: boolean;
  /** Path prefix below which the client sees the site; empty at the root. */
  readonly prefix: string;
}

/** Aliases of every header that the front takes out of a client's request. */
export function strippedHeaders(trustedHeaders: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...identityHeaders, ...frontHeaders, ...trustedHeaders].map(headerAlias));
}

/**
 * Header lines for the upstream: the client's, without those of the hop, without anything that could
 * be taken for an identity, and with the identity that the gate found.
 */
export function upstreamHeaders(
  sent: RawHeaders,
  stripped: ReadonlySet<string>,
  identity: IdentityHeaders,
  client: ClientConnection,
): string[] {
  const headers = withoutHop(sent, (name) => stripped.has(headerAlias(name)));
  for (const [name, value] of Object.entries(identity)) headers.push(name, value);
  const hops = client.trusted ? headerValues(sent, 'x-forwarded-for') : [];
  headers.push('x-forwarded-for', [...hops, client.address].join(', '));
  headers.push('x-forwarded-proto', client.secure ? 'https' : 'http');
  if (client.prefix !== '') headers.push('x-forwarded-prefix', client.prefix);
  const host = headerValues(sent, 'host')[0];
  if (host !== undefined && isHost(host)) headers.push('host', host, 'x-forwarded-host', host);
  return headers;
}

/** Header lines of an upstream's answer, without those of the hop. */
export function clientHeaders(answered: RawHeaders): string[] {
  return withoutHop(answered, () => false);
}

function withoutHop(headers: RawHeaders, isDropped: (name: string) => boolean): string[] {
  const listed = headerValues(headers, 'connection').flatMap((value) => value.split(','));
  const dropped = new Set(listed.map((option) => option.trim().toLowerCase()));
  const kept: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] as string;
    const lower = name.toLowerCase();
    if (!hopByHop.has(lower) && !dropped.has(lower) && !isDropped(name))
      kept.push(name, headers[i + 1] as string);
  }
  return kept;
}
