import * as v from 'valibot';
import type { Reference } from '../endpoint.ts';

export const assertionKeys: Reference = {
  summary: 'The keys by which assertions are checked',
  description: 'A JSON Web Key Set (RFC 7517) for what stands behind the gate: [assertion.md](assertion.md).',
  answers: {
    200: {
      meaning: 'Public keys, also of assertions that were signed a moment ago.',
      body: v.strictObject({
        keys: v.array(
          v.strictObject({
            kty: v.literal('OKP'),
            crv: v.literal('Ed25519'),
            x: v.string(),
            kid: v.string(),
            alg: v.literal('EdDSA'),
            use: v.literal('sig'),
          }),
        ),
      }),
    },
    404: { meaning: '`assertion.enabled` is `false`.' },
  },
};
