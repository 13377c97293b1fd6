import { createPublicKey } from 'node:crypto';
import { finding, info } from '../check.ts';
import { fieldsOf, textIn, type Fields } from './ask-provider.ts';
import type { ProviderCheck } from './provider-examination.ts';

/** The keys of the provider can be read, and at least one can verify the signature of an ID token. */
export const keys: ProviderCheck = {
  name: 'oidc-keys',
  needs: 'metadata',
  run: async ({ metadata, ask }) => {
    const url = textIn(metadata, 'jwks_uri');
    if (url === undefined)
      return [finding('jwks_uri', 'an address', 'none', 'the provider must say jwks_uri')];
    const answer = await ask(url, { headers: { accept: 'application/json' } });
    const keys = fieldsOf(answer)?.['keys'];
    const sent = `GET ${url}`;
    if (answer.status !== 200 || !Array.isArray(keys)) {
      const change = 'the provider must let everyone read its public keys';
      return [finding(sent, '200 and keys', answer.failure ?? String(answer.status), change)];
    }
    const usable = keys.filter(isUsable).length;
    const change = usable === 0 && 'a signing key (RSA or EC) at the provider';
    return [finding(sent, 'keys that verify signatures', `${usable} of ${keys.length}`, change)];
  },
};

function isUsable(key: unknown): boolean {
  if (typeof key !== 'object' || key === null) return false;
  const { kty, use } = key as Fields;
  if (use === 'enc' || (kty !== 'RSA' && kty !== 'EC' && kty !== 'OKP')) return false;
  try {
    createPublicKey({ key: key, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}

/** Seconds by which the provider's clock may differ from the gate's. */
const tolerance = 30;

/** The provider's clock agrees with this machine's: ID tokens depend on both. */
export const clock: ProviderCheck = {
  name: 'oidc-clock',
  needs: 'metadata',
  run: async ({
    discovery: {
      answer: { date },
      at,
    },
  }) => {
    const sent = 'the header Date';
    if (date === undefined) return [info(sent, 'no such header: the clocks were not compared')];
    // The header has whole seconds.
    const ahead = Math.round((date - at) / 1_000);
    const change = Math.abs(ahead) > tolerance && 'a time service (NTP) on both machines';
    return [finding(sent, 'within 30 seconds', `${ahead} seconds ahead`, change)];
  },
};
