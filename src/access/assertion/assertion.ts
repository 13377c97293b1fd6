import { createHash } from 'node:crypto';
import { SignJWT, type JWTPayload } from 'jose';
import { wholeSeconds, type Clock } from '../../clock.ts';
import type { AssertedRequest, Coverage } from '../../policy/identity-headers.ts';
import type { AssertionKeys } from './assertion-keys.ts';

/** @returns the value of `X-Postern-Assertion` for one request, at once when it was signed before. @throws when there is no key */
export type Assert = (request: AssertedRequest) => string | Promise<string>;

export interface AssertDependencies {
  readonly keys: Pick<AssertionKeys, 'signing'>;
  readonly issuer: string;
  readonly audience: string;
  readonly covers: Coverage;
  readonly clock: Clock;
}

/** Documented in docs/assertion.md: the service has to receive the request within this time. */
const lifetimeSeconds = 60;

/**
 * Signs who requests what: a JWT (RFC 7519) with EdDSA, which the service behind the gate verifies with
 * `/postern/api/jwks.json`. It is valid for one method, and for one target or all that begin with the same path segments.
 */
export function createAssert({ keys, issuer, audience, covers, clock }: AssertDependencies): Assert {
  const sign = async ({ user, role, method }: AssertedRequest, now: number, covered: JWTPayload) => {
    const { keyId, privateKey } = await keys.signing();
    return new SignJWT({ role, htm: method, ...covered })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: keyId })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(user)
      .setIssuedAt(now)
      .setExpirationTime(now + lifetimeSeconds)
      .sign(privateKey);
  };
  if (covers === 'request')
    return (request) => sign(request, wholeSeconds(clock.now()), { target_sha256: digestOf(request.target) });

  let second = Number.NaN;
  let signed = new Map<string, string | Promise<string>>();
  return (request) => {
    const now = wholeSeconds(clock.now());
    if (now !== second) {
      second = now;
      signed = new Map();
    }
    const prefix = prefixOf(request.target);
    const key = [request.method, request.role, request.user, prefix].join('\n');
    const known = signed.get(key);
    if (known !== undefined) return known;
    const inThisSecond = signed;
    const signing = sign(request, now, { target_prefix: prefix }).then(
      (assertion) => {
        inThisSecond.set(key, assertion);
        return assertion;
      },
      (error: unknown) => {
        inThisSecond.delete(key);
        throw error;
      },
    );
    signed.set(key, signing);
    return signing;
  };
}

/** A digest, since a list of event ids is longer than servers accept in a header. */
function digestOf(target: string): string {
  return createHash('sha256').update(target, 'latin1').digest('base64url');
}

/**
 * @returns the first two segments of a path with the slash after them; all of a path, without its query, that has no more, or that a
 * service could read differently
 */
function prefixOf(target: string): string {
  const [path = ''] = target.split('?', 1);
  const isPlain = !/\/\/|%2e/i.test(path);
  return (isPlain ? /^\/[^/]+\/[^/]+\//.exec(path)?.[0] : undefined) ?? path;
}
