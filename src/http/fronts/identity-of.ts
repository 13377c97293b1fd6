import type { Identity } from '../../policy/identity.ts';
import { toHeaderValue, type IdentityHeaders } from '../../policy/identity-headers.ts';

/** By identity: most requests are of one that has asked before. */
const known = new WeakMap<Identity, IdentityHeaders>();

const noOne = headersOf(undefined);

/** @returns the identity headers for the upstream; all fields are present, unknown ones empty */
export function identityOf(identity: Identity | undefined): IdentityHeaders {
  if (identity === undefined) return noOne;
  const found = known.get(identity);
  if (found !== undefined) return found;
  const headers = headersOf(identity);
  known.set(identity, headers);
  return headers;
}

function headersOf(identity: Identity | undefined): IdentityHeaders {
  return {
    'remote-user': toHeaderValue(identity?.user ?? ''),
    'remote-role': toHeaderValue(identity?.role ?? ''),
    'remote-groups': toHeaderValue(identity?.groups ?? ''),
    'remote-email': toHeaderValue(identity?.email ?? ''),
    'remote-name': toHeaderValue(identity?.name ?? ''),
  };
}
