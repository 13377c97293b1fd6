import { plainIdentity } from '../../policy/identity.ts';
import { headerValues, type RawHeaders } from '../../policy/raw-headers.ts';
import type { Reason } from '../../policy/reasons.ts';
import { isSecret } from '../../policy/secret.ts';
import type { Authenticated, Strategy } from './authenticate.ts';

const anonymous: Authenticated = { identity: plainIdentity('anonymous', 'admin', 'internal') };

/** Clients of the internal entry point are anonymous and admin, whatever headers they send. */
export const internalEntryPoint: Strategy = ({ entryPoint }) =>
  entryPoint === 'internal' ? anonymous : undefined;

/** The secret that an upstream proxy must send. @param secret `undefined` if none is required */
export function proxySecret(secret: string | undefined): Strategy {
  return ({ headers }) => {
    const refused = secret === undefined ? undefined : refuseProxySecret(headers, secret);
    return refused === undefined ? undefined : { refused };
  };
}

/** @returns why the request cannot be attributed to the upstream proxy; undefined if it can */
export function refuseProxySecret(headers: RawHeaders, secret: string): Reason | undefined {
  const [value, ...others] = headerValues(headers, 'x-proxy-secret');
  if (value === undefined) return 'proxy_secret_missing';
  if (others.length > 0) return 'proxy_secret_repeated';
  return isSecret(value, secret) ? undefined : 'proxy_secret_mismatch';
}
