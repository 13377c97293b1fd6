import { withoutWhiteSpace } from './raw-headers.ts';

/** @returns the first value of a list such as X-Forwarded-Proto: that of the proxy nearest to the client */
export function firstForwarded(list: string): string {
  const end = list.indexOf(',');
  return withoutWhiteSpace(end === -1 ? list : list.slice(0, end));
}

/** Whether the client's connection is TLS by X-Forwarded-Proto; `wss` is Traefik's value for a WebSocket. */
export function isForwardedSecure(list: string): boolean {
  const scheme = firstForwarded(list).toLowerCase();
  return scheme === 'https' || scheme === 'wss';
}
