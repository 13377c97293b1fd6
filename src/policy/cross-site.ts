import { hasHeader, headerValues, type RawHeaders } from './raw-headers.ts';

/**
 * Whether a browser marks the request as made by another site (Fetch Metadata; RFC 6454, 7). Another port or subdomain
 * counts as another site. Clients other than browsers send neither header.
 * @param host the host, with its port, that the client asked for
 */
export function isCrossSite(headers: RawHeaders, host: string | undefined): boolean {
  const sites = headerValues(headers, 'sec-fetch-site');
  if (sites.some((site) => site !== 'same-origin' && site !== 'none')) return true;
  return headerValues(headers, 'origin').some((origin) => {
    const originHost = hostOf(origin);
    return originHost === undefined || originHost !== host?.toLowerCase();
  });
}

/**
 * The same where a proxy may have replaced Host: the browser's own finding (Fetch Metadata) takes precedence over a
 * comparison of Origin with that Host.
 */
export function isCrossSiteBehindProxy(headers: RawHeaders, host: string | undefined): boolean {
  const knowsSite = hasHeader(headers, 'sec-fetch-site');
  const withoutOrigin = headers.flatMap((name, i) =>
    i % 2 === 0 && name.toLowerCase() !== 'origin' ? [name, headers[i + 1] ?? ''] : [],
  );
  return isCrossSite(knowsSite ? withoutOrigin : headers, host);
}

/** Whether another site's page requests something as a part of itself, such as a frame or a picture, and not by a link. */
export function isEmbeddedElsewhere(headers: RawHeaders, host: string | undefined): boolean {
  const isOther = (name: 'sec-fetch-dest' | 'sec-fetch-mode', whole: string) =>
    headerValues(headers, name).some((value) => value !== whole);
  const isPart = isOther('sec-fetch-dest', 'document') || isOther('sec-fetch-mode', 'navigate');
  return isPart && isCrossSite(headers, host);
}

/** @returns undefined for the opaque origin `null` and for an invalid one */
function hostOf(origin: string): string | undefined {
  return /^https?:\/\/([^/?#@\s]+)$/i.exec(origin)?.[1]?.toLowerCase();
}
