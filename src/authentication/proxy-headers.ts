import { fromHeaderValue } from '../identity-headers.ts';
import type { RawHeaders } from '../policy/raw-headers.ts';
import type { Reason } from '../policy/reasons.ts';
import { resolveRole, type RoleResolution } from '../policy/role-map.ts';
import { readTrustedHeaders, type TrustedHeaders } from '../policy/trusted-headers.ts';
import type { Authentication } from '../policy/identity.ts';
import type { Strategy } from './authenticate.ts';

export interface ProxyIdentity extends RoleResolution {
  readonly trustedHeaders: TrustedHeaders;
  /** Lower-case header names; undefined when the configuration maps none. */
  readonly userHeader: string | undefined;
  readonly roleHeader: string | undefined;
}

/** The headers of an upstream proxy that authenticates users (`auth.enabled: false`). */
export function proxyHeaders(proxyIdentity: ProxyIdentity): Strategy {
  return ({ headers }) => identityByHeaders(headers, proxyIdentity);
}

/** @returns whom the upstream proxy vouches for, or why it vouches for nobody. */
export function identityByHeaders(headers: RawHeaders, identity: ProxyIdentity): Authentication {
  const read = readTrustedHeaders(headers, identity.trustedHeaders);
  if ('refused' in read) return read;

  const user = identity.userHeader === undefined ? 'viewer' : readUser(read.values.get(identity.userHeader));
  if (typeof user !== 'string') return user;

  const groups = readGroups(
    identity.roleHeader === undefined ? undefined : read.values.get(identity.roleHeader),
  );
  if (typeof groups !== 'string') return groups;
  const role = resolveRole(groups, identity);
  if (role === undefined) return { refused: 'no_role' };

  return {
    identity: {
      user,
      role,
      source: 'proxy',
      groups,
      email: readText(read.values.get('remote-email')),
      name: readText(read.values.get('remote-name')),
    },
  };
}

// C0 but HTAB, DEL and C1: never part of a name, and some parsers end a line at them.
const controlCharacter = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/;

function readUser(value: string | undefined): string | { readonly refused: Reason } {
  if (value === undefined || value.trim() === '') return { refused: 'user_missing' };
  const user = fromHeaderValue(value);
  if (user === undefined || [...user].length > 256 || user.includes('\t') || controlCharacter.test(user)) {
    return { refused: 'user_malformed' };
  }
  return user;
}

function readGroups(value: string | undefined): string | { readonly refused: Reason } {
  const groups = fromHeaderValue(value ?? '');
  if (groups === undefined || controlCharacter.test(groups)) return { refused: 'groups_malformed' };
  return groups;
}

/** A text that decides nothing: what cannot be read is unknown. */
function readText(value: string | undefined): string {
  const text = fromHeaderValue(value ?? '');
  return text === undefined || controlCharacter.test(text) ? '' : text;
}
