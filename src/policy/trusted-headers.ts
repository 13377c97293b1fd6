import { headerAlias, isAliasOf, isNamed, type RawHeaders } from './raw-headers.ts';
import type { Reason } from './reasons.ts';

/** Lower-case names of the headers an upstream proxy may send. */
export type TrustedHeaders = ReadonlySet<string>;

/**
 * Extracts the trusted headers from a request. A trusted header that came twice, under an alias, or marked hop-by-hop is
 * refused: servers may read different copies of it.
 */
export function readTrustedHeaders(
  headers: RawHeaders,
  trusted: TrustedHeaders,
): { readonly values: ReadonlyMap<string, string> } | { readonly refused: Reason } {
  const values = new Map<string, string>();
  const names = namesByLength(trusted);
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const sent = headers[i] as string;
    const value = headers[i + 1] as string;
    if (isNamed(sent, 'connection') && listsTrustedHeader(value, trusted)) {
      return { refused: 'trusted_header_hop_by_hop' };
    }
    const name = names[sent.length]?.find((alias) => isAliasOf(sent, alias));
    if (name === undefined) continue;
    if (!isNamed(sent, name)) return { refused: 'trusted_header_alias' };
    if (values.has(name)) return { refused: 'trusted_header_repeated' };
    values.set(name, value);
  }
  return { values };
}

const prepared = new WeakMap<TrustedHeaders, ReadonlyArray<readonly string[] | undefined>>();

/** @returns by length, the names that can be the alias of a header; prepared once for each list */
function namesByLength(trusted: TrustedHeaders): ReadonlyArray<readonly string[] | undefined> {
  const there = prepared.get(trusted);
  if (there !== undefined) return there;
  const names: Array<string[] | undefined> = [];
  for (const name of trusted) if (headerAlias(name) === name) (names[name.length] ??= []).push(name);
  prepared.set(trusted, names);
  return names;
}

function listsTrustedHeader(connection: string, trusted: TrustedHeaders): boolean {
  return connection.split(',').some((option) => trusted.has(headerAlias(option.trim())));
}
