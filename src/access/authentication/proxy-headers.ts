import { LRUCache } from 'lru-cache';
import { fromHeaderValue } from '../../policy/identity-headers.ts';
import { isClearName, isReservedUser } from '../../policy/names.ts';
import type { RawHeaders } from '../../policy/raw-headers.ts';
import type { Reason } from '../../policy/reasons.ts';
import { resolveRole, type RoleResolution } from '../../policy/role-map.ts';
import { readTrustedHeaders, type TrustedHeaders } from '../../policy/trusted-headers.ts';
import type { Authentication, Identity } from '../../policy/identity.ts';
import type { Strategy } from './authenticate.ts';

export interface ProxyIdentity extends RoleResolution {
  readonly trustedHeaders: TrustedHeaders;
  /** Lower-case header names; undefined if the configuration maps none. */
  readonly userHeader: string | undefined;
  readonly roleHeader: string | undefined;
}

/** Values of the headers as they arrived; undefined if absent or not mapped. */
interface Said {
  readonly user: string | undefined;
  readonly groups: string | undefined;
  readonly email: string | undefined;
  readonly name: string | undefined;
}

// Some thousands of users.
const mostBytes = 4 * 1024 * 1024;
// Measured with 8,000 users: approximate size of an entry without its texts.
const entryBytes = 400;

/**
 * The headers of an upstream proxy that authenticates users (`auth.enabled: false`). Identities are cached by the header values: only
 * the headers of a request decide, and a reused identity is not copied with each decision that is kept.
 */
export function proxyHeaders(proxyIdentity: ProxyIdentity): Strategy {
  const remembered = new LRUCache<string, { readonly said: Said; readonly found: Identified }>({
    maxSize: mostBytes,
  });
  return ({ headers }) => {
    const said = saidBy(headers, proxyIdentity);
    if ('refused' in said) return said;
    const { user, groups = '' } = said;
    // Without a header for users, groups distinguish them.
    const key = user ?? groups;
    const known = remembered.get(key);
    if (known !== undefined && isSame(known.said, said)) return known.found;
    const found = identify(said, proxyIdentity);
    if ('refused' in found) return found;
    const { identity } = found;
    const { email, name } = identity;
    const size = entryBytes + key.length + groups.length + email.length + name.length;
    remembered.set(key, { said, found }, { size });
    return found;
  };
}

/** @returns the identity that the upstream proxy asserts, or why it is refused */
export function identityByHeaders(headers: RawHeaders, identity: ProxyIdentity): Authentication {
  const said = saidBy(headers, identity);
  return 'refused' in said ? said : identify(said, identity);
}

function isSame(one: Said, other: Said): boolean {
  return (
    one.user === other.user &&
    one.groups === other.groups &&
    one.email === other.email &&
    one.name === other.name
  );
}

type Identified = { readonly identity: Identity };

function saidBy(
  headers: RawHeaders,
  { trustedHeaders, userHeader, roleHeader }: ProxyIdentity,
): Said | { readonly refused: Reason } {
  const read = readTrustedHeaders(headers, trustedHeaders);
  if ('refused' in read) return read;
  const { values } = read;
  return {
    user: userHeader === undefined ? undefined : values.get(userHeader),
    groups: roleHeader === undefined ? undefined : values.get(roleHeader),
    email: values.get('remote-email'),
    name: values.get('remote-name'),
  };
}

function identify(said: Said, identity: ProxyIdentity): Identified | { readonly refused: Reason } {
  const user = identity.userHeader === undefined ? 'viewer' : readUser(said.user);
  if (typeof user !== 'string') return user;

  const groups = readGroups(said.groups);
  if (typeof groups !== 'string') return groups;
  const role = resolveRole(groups, identity, user);
  if (role === undefined) return { refused: 'no_role' };

  const [email, name] = [readText(said.email), readText(said.name)];
  return { identity: { user, role, source: 'proxy', groups, email, name } };
}

// C0 except HTAB, DEL and C1: never part of a text, and some parsers end a line at them.
const controlCharacter = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/;

function readUser(value: string | undefined): string | { readonly refused: Reason } {
  if (value === undefined || value.trim() === '') return { refused: 'user_missing' };
  const user = fromHeaderValue(value);
  if (user === undefined || [...user].length > 256 || !isClearName(user))
    return { refused: 'user_malformed' };
  return isReservedUser(user) ? { refused: 'user_reserved' } : user;
}

function readGroups(value: string | undefined): string | { readonly refused: Reason } {
  const groups = fromHeaderValue(value ?? '');
  if (groups === undefined || controlCharacter.test(groups)) return { refused: 'groups_malformed' };
  return groups;
}

/** For texts that decide nothing: an unreadable one is unknown. */
function readText(value: string | undefined): string {
  const text = fromHeaderValue(value ?? '');
  return text === undefined || controlCharacter.test(text) ? '' : text;
}
