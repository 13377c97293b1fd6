import * as v from 'valibot';
import { AppError } from '../../errors.ts';
import { endpoint } from '../endpoint.ts';

const publicKey = v.strictObject({
  kty: v.literal('OKP'),
  crv: v.literal('Ed25519'),
  x: v.string(),
  kid: v.string(),
  alg: v.literal('EdDSA'),
  use: v.literal('sig'),
});

export interface AssertionKeysApiDependencies {
  /** Public keys by which assertions are checked, as JWK, and for how many seconds they may be kept. Undefined: there are no assertions. */
  readonly assertionKeys?:
    | (() => Promise<{
        readonly keys: ReadonlyArray<v.InferOutput<typeof publicKey>>;
        readonly maxAge: number;
      }>)
    | undefined;
}

export const listAssertionKeys = endpoint({
  method: 'get',
  path: '/postern/api/jwks.json',
  level: 'public',
  tag: 'Assertions',
  summary: 'The keys by which assertions are checked',
  description: 'A JSON Web Key Set (RFC 7517) for what stands behind the gate: [assertion.md](assertion.md).',
  answers: {
    200: {
      meaning: 'Public keys, also of assertions that were signed a moment ago.',
      body: v.strictObject({
        keys: v.array(publicKey),
      }),
    },
    404: { meaning: '`assertion.enabled` is `false`.' },
  },
  handle:
    ({ assertionKeys }: AssertionKeysApiDependencies) =>
    async (c) => {
      if (assertionKeys === undefined) throw new AppError('not_found');
      const { keys, maxAge } = await assertionKeys();
      c.header('cache-control', `public, max-age=${maxAge}`);
      return { keys };
    },
});
