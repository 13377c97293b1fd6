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
  /** Public keys that verify assertions, as JWK, and the seconds to cache them. Undefined: assertions are off. */
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
  summary: 'Get the keys that verify assertions',
  description: 'A JSON Web Key Set (RFC 7517) for servers behind the gate: [assertion.md](assertion.md).',
  answers: {
    200: {
      meaning: 'Public keys, including those of assertions that were signed a moment ago.',
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
