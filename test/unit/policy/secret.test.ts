import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refuseProxySecret } from '../../../src/access/authentication/entry-strategies.ts';
import { showsFrontSecret } from '../../../src/http/fronts/front-trust.ts';

const { timingSafeEqual } = crypto;
type Compared = Parameters<typeof timingSafeEqual>;
let compared: Compared[] = [];
/** What the comparison returns in place of the truth; undefined: the truth. */
let pretended: boolean | undefined;

beforeAll(() => {
  crypto.timingSafeEqual = (...both: Compared) => {
    compared.push(both);
    return pretended ?? timingSafeEqual(...both);
  };
  syncBuiltinESMExports();
});
afterAll(() => {
  crypto.timingSafeEqual = timingSafeEqual;
  syncBuiltinESMExports();
});

const secret = 'correct horse battery';
const sent = [
  ['the secret', secret],
  ['another first letter', `x${secret.slice(1)}`],
  ['another last letter', `${secret.slice(0, -1)}x`],
  ['a prefix', secret.slice(0, 7)],
  ['a longer one', `${secret}!`],
  ['nothing', ''],
  ['64 KiB', 'x'.repeat(65_536)],
] as const;
const ways = [
  ['X-Proxy-Secret', (value: string) => refuseProxySecret(['X-Proxy-Secret', value], secret) === undefined],
  ['X-Front-Secret', (value: string) => showsFrontSecret(['X-Front-Secret', value], secret)],
] as const;

test.each(
  ways.flatMap(([name, isAccepted]) => sent.map(([what, value]) => [name, what, value, isAccepted] as const)),
)('%s is compared in constant time: %s', (_name, _what, value, isAccepted) => {
  [compared, pretended] = [[], undefined];
  expect(isAccepted(value)).toBe(value === secret);
  // Two digests of one length, whatever was sent: all of their 32 bytes are read.
  expect(compared.map((both) => both.map(({ byteLength }) => byteLength))).toEqual([[32, 32]]);
  // Nothing else decides.
  for (pretended of [true, false]) expect(isAccepted(value)).toBe(pretended);
});
