import { createHash } from 'node:crypto';
import { SignJWT } from 'jose';
import { wholeSeconds, type Clock } from '../../clock.ts';
import type { AssertedRequest } from '../../policy/identity-headers.ts';
import type { AssertionKeys } from './assertion-keys.ts';

/** @returns the value of `X-Postern-Assertion` for one request. @throws when there is no key */
export type Assert = (request: AssertedRequest) => Promise<string>;

export interface AssertDependencies {
  readonly keys: Pick<AssertionKeys, 'signing'>;
  readonly issuer: string;
  readonly audience: string;
  readonly clock: Clock;
}

/** Documented in docs/assertion.md: the service has to receive the request within this time. */
const lifetimeSeconds = 60;

/**
 * Signs who requests what: a JWT (RFC 7519) with EdDSA, which the service behind the gate verifies with
 * `/postern/api/jwks.json`. It is valid for one method and one target. It contains a digest of the target, since a list of
 * event ids is longer than servers accept in a header.
 */
export function createAssert({ keys, issuer, audience, clock }: AssertDependencies): Assert {
  return async ({ user, role, method, target }) => {
    const { keyId, privateKey } = await keys.signing();
    const now = wholeSeconds(clock.now());
    return new SignJWT({
      role,
      htm: method,
      target_sha256: createHash('sha256').update(target, 'latin1').digest('base64url'),
    })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: keyId })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(user)
      .setIssuedAt(now)
      .setExpirationTime(now + lifetimeSeconds)
      .sign(privateKey);
  };
}
