import { headerAlias, type RawHeaders } from './raw-headers.ts';
import type { Reason } from './reasons.ts';

/** Lower-case names of the headers an upstream proxy may send. */
export type TrustedHeaders = ReadonlySet<string>;

/**
 * Takes the trusted headers out of a request and everything else leaves behind.
 * A trusted header that came twice, under an alias, or marked hop-by-hop is refused: whichever
 * copy one server reads, the next may read the other.
 */
export function readTrustedHeaders(
  headers: RawHeaders,
  trusted: TrustedHeaders,
): { readonly values: ReadonlyMap<string, string> } | { readonly refused: Reason } {
  const values = new Map<string, string>();
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = (headers[i] as string).toLowerCase();
    const value = headers[i + 1] as string;
    if (name === 'connection' && listsTrustedHeader(value, trusted)) {
      return { refused: 'trusted_header_hop_by_hop' };
    }
    const alias = headerAlias(name);
    if (!trusted.has(alias)) continue;
    if (alias !== name) return { refused: 'trusted_header_alias' };
    if (values.has(name)) return { refused: 'trusted_header_repeated' };
    values.set(name, value);
  }
  return { values };
}

function listsTrustedHeader(connection: string, trusted: TrustedHeaders): boolean {
  return connection.split(',').some((option) => trusted.has(headerAlias(option.trim())));
}
