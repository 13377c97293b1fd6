import type { Identity } from '../../policy/identity.ts';
import { toHeaderValue, type IdentityHeaders } from '../../policy/identity-headers.ts';

/** @returns the identity headers for the upstream; all fields are present, unknown ones empty */
export function identityOf(identity: Identity | undefined): IdentityHeaders {
  return {
    'remote-user': toHeaderValue(identity?.user ?? ''),
    'remote-role': toHeaderValue(identity?.role ?? ''),
    'remote-groups': toHeaderValue(identity?.groups ?? ''),
    'remote-email': toHeaderValue(identity?.email ?? ''),
    'remote-name': toHeaderValue(identity?.name ?? ''),
  };
}
