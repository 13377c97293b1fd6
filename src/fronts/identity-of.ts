import type { Identity } from '../policy/identity.ts';
import { identityHeaders, toHeaderValue, type IdentityHeaders } from '../identity-headers.ts';

/** @returns what the upstream learns of an identity; every field is there, unknown ones empty. */
export function identityOf(identity: Identity | undefined): IdentityHeaders {
  const values: Record<(typeof identityHeaders)[number], string> = {
    'remote-user': identity?.user ?? '',
    'remote-role': identity?.role ?? '',
    'remote-groups': identity?.groups ?? '',
    'remote-email': identity?.email ?? '',
    'remote-name': identity?.name ?? '',
  };
  for (const name of identityHeaders) values[name] = toHeaderValue(values[name]);
  return values;
}
