import { identityHeaders, toHeaderValue, type IdentityHeaders } from '../identity-headers.ts';
import type { Subject } from '../policy/verdict.ts';

/** @returns what the upstream learns of a subject; every field is there, unknown ones empty. */
export function identityOf(subject: Subject | undefined): IdentityHeaders {
  const values: Record<(typeof identityHeaders)[number], string> = {
    'remote-user': subject?.user ?? '',
    'remote-role': subject?.role ?? '',
    'remote-groups': subject?.groups ?? '',
    'remote-email': subject?.email ?? '',
    'remote-name': subject?.name ?? '',
  };
  for (const name of identityHeaders) values[name] = toHeaderValue(values[name]);
  return values;
}
