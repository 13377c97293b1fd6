import { createPublicKey } from 'node:crypto';
import { fault, info, ok, type Finding } from '../probe.ts';
import { fieldsOf, textIn, type Fields } from './provider-answer.ts';
import type { ProviderProbe } from './provider-examination.ts';

export const keysProbe: ProviderProbe = {
  name: 'oidc-keys',
  meaning: 'The keys of the provider can be read, and at least one can verify the signature of an ID token.',
  change:
    'The signing key of the provider: authentik, for one, has no public key without a _Signing Key_ in the settings of its provider.',
  run: async ({ metadata, ask }) => {
    const url = textIn(metadata, 'jwks_uri');
    if (url === undefined) return [fault('jwks_uri', 'an address', 'none', 'the provider must say jwks_uri')];
    const answer = await ask(url, { headers: { accept: 'application/json' } });
    const keys = fieldsOf(answer)?.['keys'];
    if (answer.status !== 200 || !Array.isArray(keys))
      return [
        fault(
          `GET ${url}`,
          '200 and keys',
          answer.failure ?? String(answer.status),
          'the provider must let everybody read its public keys',
        ),
      ];
    const usable = keys.filter(isUsable);
    const seen = `${usable.length} of ${keys.length}`;
    return [
      usable.length > 0
        ? ok(`GET ${url}`, 'keys that verify signatures', seen)
        : fault(
            `GET ${url}`,
            'keys that verify signatures',
            seen,
            'a signing key (RSA or EC) at the provider',
          ),
    ];
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

/** Milliseconds by which the gate lets the provider's clock differ. */
const tolerance = 30_000;

export const clockProbe: ProviderProbe = {
  name: 'oidc-clock',
  meaning:
    "The clock of the provider, as the header `Date` of its answer says, is no more than 30 seconds away from this machine's: ID tokens go by both.",
  change: 'A time service (NTP) on both machines.',
  run: async ({ discovery: { answer, at } }) => [clockFinding(answer.date, at)],
};

function clockFinding(date: number | undefined, at: number): Finding {
  const [sent, expected] = ['the header Date', 'within 30 seconds'];
  if (date === undefined) return info(sent, 'no such header: the clocks were not compared');
  // The header has whole seconds.
  const ahead = Math.round((date - at) / 1_000);
  const seen = `${ahead} seconds ahead`;
  return Math.abs(ahead) * 1_000 > tolerance
    ? fault(sent, expected, seen, 'a time service (NTP) on both machines')
    : ok(sent, expected, seen);
}
