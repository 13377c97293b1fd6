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
      covers === 'prefix' ? beginsWith(payload.target_prefix, url) : payload.target_sha256 === digestOf(url);
    if (payload.htm !== method || !isCovered) throw new Error('the assertion is of another request');
    return { user: payload.sub, role: payload.role };
  };
}

function digestOf(target) {
  return createHash('sha256').update(target, 'latin1').digest('base64url');
}

function beginsWith(prefix, target) {
  const [path] = target.split('?', 1);
  // By these, a path that begins with the prefix could still lead elsewhere.
  if (typeof prefix !== 'string' || /\/\.{0,2}(?:\/|$)|%2e|%2f|%5c|[\\;]/i.test(path.slice(0, -1)))
    return false;
  return prefix.endsWith('/') ? path.startsWith(prefix) : path === prefix;
}
