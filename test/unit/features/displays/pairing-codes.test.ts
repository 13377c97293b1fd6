import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createPairingCodes,
  readUserCode,
  codesToDrop,
} from '../../../../src/features/displays/pairing-codes.ts';
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
  const activity = await temporaryActivity();
  const codes = createPairingCodes(activity, { now: () => now });
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
  expect(await codes.refuse(begun?.userCode ?? '')).toBe(false);
  await codes.prune();
  expect(await activity.selectFrom('pairing_codes').selectAll().execute()).toEqual([]);
});

/** The n-th address in a network of IPv6, each in a /64 of its own. */
const inNetwork = (bits: 64 | 56 | 48 | 32, n: number) => {
  if (bits === 64) return `2001:db8:1:1::${n.toString(16)}`;
  if (bits === 56) return `2001:db8:1:${(0x100 + (n % 256)).toString(16)}::1`;
  if (bits === 48) return `2001:db8:1:${((n * 0x100) % 0x10000).toString(16)}::${n}`;
  return `2001:db8:${n.toString(16)}::1`;
};

test.each<[network: string, most: number, at: (n: number) => string]>([
  ['an IPv6 /64', 4, (n) => inNetwork(64, n)],
  ['an IPv6 /56', 8, (n) => inNetwork(56, n)],
  ['an IPv6 /48', 32, (n) => inNetwork(48, n)],
  ['an IPv4 address', 4, () => '192.0.2.1'],
  ['an IPv4 address mapped to IPv6', 4, (n) => (n % 2 === 0 ? '::ffff:192.0.2.1' : '192.0.2.1')],
  ['an IPv4 /24', 32, (n) => `192.0.2.${n % 256}`],
])('%s has %i open codes, however many are asked for at once', async (_, most, at) => {
  const codes = createPairingCodes(await temporaryActivity(), { now: () => 1_000_000_000 });
  const begin = (address: string) => codes.begin({ address, agent: undefined });
  const begun = await Promise.all(Array.from({ length: 300 }, (_code, n) => begin(at(n))));
  expect(begun.filter(Boolean)).toHaveLength(most);
  expect(await begin('2001:db8:2::1')).toBeDefined();
  expect(await begin('198.51.100.1')).toBeDefined();
});

test('a refused code takes no place, and no one approves it', async () => {
  const codes = createPairingCodes(await temporaryActivity(), { now: () => 1_000_000_000 });
  for (let i = 0; i < 6; i += 1) {
    const { userCode = '', deviceCode = '' } =
      (await codes.begin({ address: '192.0.2.1', agent: 'TV' })) ?? {};
    expect(await codes.refuse(userCode)).toBe(true);
    expect(await codes.find(userCode)).toBeUndefined();
    expect(await codes.refuse(userCode)).toBe(false);
    expect(await codes.poll(deviceCode)).toEqual({ problem: 'access_denied' });
  }
});

test('a code whose screen was paired is gone, and its place is given back once', async () => {
  const codes = createPairingCodes(await temporaryActivity(), { now: () => 1_000_000_000 });
  let given = 0;
  const begun = await codes.begin({ address: '192.0.2.1', agent: 'TV' }, async () => void (given += 1));
  const { deviceHash = '' } = await codes.poll(begun?.deviceCode ?? '');
  for (let i = 0; i < 2; i += 1) await codes.finish(deviceHash);
  expect([given, await codes.find(begun?.userCode ?? '')]).toEqual([1, undefined]);
  expect(await codes.poll(begun?.deviceCode ?? '')).toEqual({ problem: 'expired_token' });
});

test('a screen does not store texts of any length', async () => {
  const codes = createPairingCodes(await temporaryActivity(), { now: () => 1_000_000_000 });
  const begun = await codes.begin({ address: 'x'.repeat(1_000), agent: 'y'.repeat(1_000) });
  const { address = '', agent = '' } = (await codes.find(begun?.userCode ?? '')) ?? {};
  expect([address.length, agent.length]).toEqual([64, 256]);
});

test('those who fill the table lose their codes, and others get and keep theirs', async () => {
  let now = 1_000_000_000;
  const activity = await temporaryActivity();
  const codes = createPairingCodes(activity, { now: () => now });
  const flood = async (from: number, count: number) => {
    for (let n = from; n < from + count; n += 1)
      expect(await codes.begin({ address: inNetwork(32, n), agent: undefined })).toBeDefined();
  };
  const count = async () => (await activity.selectFrom('pairing_codes').select('user_code').execute()).length;
  await flood(0, 1_024);
  expect(await count()).toBe(1_024);
  await flood(1_024, 1);
  expect(await count()).toBe(1_024 + 1 - 64);
  await flood(1_025, 63);
  now += 1_000;
  const ofHome = [];
  for (const address of ['198.51.100.1', '2001:db9::1'])
    ofHome.push(await codes.begin({ address, agent: 'TV' }));
  await flood(2_000, 1_200);
  now += 61_000;
  await flood(4_000, 1_200);
  for (const begun of ofHome) expect(await codes.find(begun?.userCode ?? '')).toMatchObject({ agent: 'TV' });
  expect(await count()).toBeLessThanOrEqual(1_024);
});

const atDrop = 1_000_000_000;
const openCode = (name: string, address: string, age: number, asked: number) => ({
  device_hash: name,
  address,
  created_at: atDrop / 1000 - age,
  polled_at: asked,
});

test('of equal networks, screens that still ask keep their codes', () => {
  const asking = openCode('asking', '203.0.113.1', 500, atDrop - 5_000);
  const begun = openCode('begun', '192.0.2.1', 1, 0);
  const equal = Array.from({ length: 64 }, (_, n) => openCode(`gone ${n}`, `198.${n}.0.1`, 100, 0));
  expect(codesToDrop([asking, ...equal, begun], atDrop).toSorted()).toEqual(
    equal.map(({ device_hash: hash }) => hash).toSorted(),
  );
});

test('of screens that all ask, those with the newest codes keep them', () => {
  const newer = Array.from({ length: 6 }, (_, n) => openCode(`new ${n}`, `198.${n}.0.1`, 9, 0));
  const older = Array.from({ length: 64 }, (_, n) => openCode(`old ${n}`, `203.${n}.0.1`, 90, atDrop));
  expect(codesToDrop([...newer, ...older], atDrop)).toEqual(older.map(({ device_hash: hash }) => hash));
});
