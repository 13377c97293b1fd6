import { createHash } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify } from 'jose';

/**
 * Makes what checks requests of Node's `http`: it throws when one did not come through the gate.
 * @param {{ keys: string, issuer: string, audience: string }} gate `keys`: the address of its /postern/api/jwks.json
 */
export function assertionCheck({ keys, issuer, audience }) {
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
    const target = createHash('sha256').update(url, 'latin1').digest('base64url');
    if (payload.htm !== method || payload.target_sha256 !== target)
      throw new Error('the assertion is of another request');
    return { user: payload.sub, role: payload.role };
  };
}
