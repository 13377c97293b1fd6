import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPairingCodes, readUserCode } from '../../../../src/identity/displays/pairing-codes.ts';
import { assertCases } from '../../../support/assert-cases.ts';
import { temporaryActivity } from '../../store/temporary-store.ts';

test.each<[typed: string, code: string | undefined]>([
  ['BCDF-GHJK', 'BCDF-GHJK'],
  ['bcdfghjk', 'BCDF-GHJK'],
  [' bcdf ghjk ', 'BCDF-GHJK'],
  ['BCDF-GHJ', undefined],
  ['BCDF-GHJKL', undefined],
  // Vowels and Y, digits, and letters that look alike.
  ['ACDF-GHJK', undefined],
  ['YCDF-GHJK', undefined],
  ['1CDF-GHJK', undefined],
  ['ВCDF-GHJK', undefined],
  ['', undefined],
])('%j is read as %j', (typed, code) => expect(readUserCode(typed)).toBe(code));

test('whatever is typed, a code is eight of twenty letters', () => {
  assertCases(
    fc.property(fc.string({ unit: fc.constantFrom('B', 'c', 'D', 'g', '-', ' ', 'a', '1') }), (typed) => {
      expect(readUserCode(typed) ?? 'BCDF-GHJK').toMatch(
        /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/,
      );
    }),
  );
});

test('a code lasts ten minutes, and each early question makes the next one later', async () => {
  let now = 1_000_000_000;
  const codes = createPairingCodes(await temporaryActivity(), { now: () => now });
  const begun = await codes.begin({ address: '192.0.2.1', agent: 'TV' });
  const ask = async () => (await codes.poll(begun?.deviceCode ?? '')).problem;
  expect(await ask()).toBe('authorization_pending');
  now += 4_000;
  expect(await ask()).toBe('slow_down');
  now += 6_000;
  expect(await ask()).toBe('slow_down');
  now += 15_000;
  expect(await ask()).toBe('authorization_pending');
  expect(await codes.find(begun?.userCode ?? '')).toMatchObject({ address: '192.0.2.1', agent: 'TV' });
  now += 600_000;
  expect(await ask()).toBe('expired_token');
  expect(await codes.find(begun?.userCode ?? '')).toBeUndefined();
  await codes.prune();
});

test('a network has four open codes, and all together have 1,024', async () => {
  const codes = createPairingCodes(await temporaryActivity(), { now: () => 1_000_000_000 });
  const begin = (address: string) => codes.begin({ address, agent: undefined });
  for (let i = 0; i < 4; i += 1) expect(await begin('2001:db8::1')).toBeDefined();
  // The same /64.
  expect(await begin('2001:db8::2')).toBeUndefined();
  for (let i = 4; i < 1_024; i += 1) await begin(`10.0.${Math.floor(i / 250)}.${i % 250}`);
  expect(await begin('192.0.2.1')).toBeUndefined();
});
