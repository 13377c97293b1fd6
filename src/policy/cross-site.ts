import { isHost } from './forwarded.ts';
import { hasHeader, headerValues, type RawHeaders } from './raw-headers.ts';

/** Where this site is. */
export interface Site {
  /** The host, with its port, that the client asked for, as far as proxies have left it. */
  readonly host: string | undefined;
  /** The origin that the operator gave to the site. */
  readonly publicOrigin: string | undefined;
}

/**
 * Whether a browser marks the request as made by another site (Fetch Metadata; RFC 6454, 7). Another port or subdomain counts as
 * another site. The browser's own finding takes precedence: no page can set it, and proxies replace Host. Clients other than browsers
 * send neither header.
 */
export function isCrossSite(headers: RawHeaders, site: Site): boolean {
  const findings = headerValues(headers, 'sec-fetch-site');
  const origins = headerValues(headers, 'origin');
  if (findings.length > 1 || origins.length > 1) return true;
  const [finding] = findings;
  if (finding !== undefined) return finding !== 'same-origin' && finding !== 'none';
  const [origin] = origins;
  return origin !== undefined && !isOriginOf(site, origin);
}

function isOriginOf({ host, publicOrigin }: Site, origin: string): boolean {
  const sent = originParts(origin);
  if (sent === undefined) return false;
  return sent.origin === publicOrigin || sent.host === plainHost(sent.scheme, host);
}

/**
 * @returns advice for the operator if a request was refused as another site's, and Origin differs from the host in nothing but the port:
 * a proxy has probably lost it. Without TLS, browsers send their own finding with no request, and some never with a WebSocket.
 */
export function lostPortHint(headers: RawHeaders, host: string | undefined): string | undefined {
  const [origin = '', ...others] = headerValues(headers, 'origin');
  const sent = originParts(origin);
  if (sent === undefined || others.length > 0 || hasHeader(headers, 'sec-fetch-site')) return undefined;
  const asked = plainHost(sent.scheme, host);
  if (asked === sent.host || withoutPort(asked) !== withoutPort(sent.host)) return undefined;
  return 'a proxy has lost the port of Host: set public_url in config.yml to the address that browsers show';
}

/** Whether another site's page requests something as a part of itself, such as a frame or a picture, and not by a link. */
export function isEmbeddedElsewhere(headers: RawHeaders, site: Site): boolean {
  const isOther = (name: 'sec-fetch-dest' | 'sec-fetch-mode', whole: string) =>
    headerValues(headers, name).some((value) => value !== whole);
  const isPart = isOther('sec-fetch-dest', 'document') || isOther('sec-fetch-mode', 'navigate');
  return isPart && isCrossSite(headers, site);
}

/** @returns undefined for the opaque origin `null` and for an invalid one */
function originParts(origin: string): { scheme: string; host: string; origin: string } | undefined {
  const [, scheme = '', sent] = /^(https?):\/\/([^/?#@\s]+)$/i.exec(origin) ?? [];
  const host = plainHost(scheme, sent);
  return host === undefined ? undefined : { scheme, host, origin: `${scheme.toLowerCase()}://${host}` };
}

/** @returns a host as browsers write it, without the default port of the scheme; undefined if it is no host */
function plainHost(scheme: string, host: string | undefined): string | undefined {
  return host !== undefined && isHost(host) ? URL.parse(`${scheme}://${host}`)?.host : undefined;
}

function withoutPort(host: string | undefined): string | undefined {
  return host?.replace(/:\d+$/, '');
}
