import { createHash } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify } from 'jose';

/**
 * Makes what checks requests of Node's `http`: it throws when one did not come through the gate.
 * @param {{ keys: string, issuer: string, audience: string, covers?: 'request' | 'prefix' }} gate `keys`: the address of its
 *   /postern/api/jwks.json; `covers`: as `assertion.covers` there
 */
export function assertionCheck({ keys, issuer, audience, covers = 'request' }) {
  const keySet = createRemoteJWKSet(new URL(keys));
  return async ({ method, url, headers }) => {
    const { payload } = await jwtVerify(String(headers['x-postern-assertion']), keySet, {
      algorithms: ['EdDSA'],
      issuer,
      audience,
      maxTokenAge: 60,
      // Seconds by which the clocks of two machines may differ.
      clockTolerance: 5,
      requiredClaims: ['sub', 'role', 'exp'],
    });
    const isCovered =
      covers === 'prefix' ? isBelow(payload.target_prefix, url) : payload.target_sha256 === digestOf(url);
    if (payload.htm !== method || !isCovered) throw new Error('the assertion is of another request');
    return { user: payload.sub, role: payload.role };
  };
}

function digestOf(target) {
  return createHash('sha256').update(target, 'latin1').digest('base64url');
}

function isBelow(prefix, target) {
  const [path] = target.split('?', 1);
  if (path === prefix) return true;
  // Two segments cover more than themselves, but no path that could lead elsewhere.
  const isPrefix = /^\/[^/]+\/[^/]+\/$/.test(prefix);
  return isPrefix && path.startsWith(prefix) && !/\/\.{0,2}\/|\/\.{1,2}$|%2e|%2f|%5c|[\\;]/i.test(path);
}
