import { beforeEach, expect, test } from 'vitest';
import { createAssertionKeys, type AssertionKeys } from '../../../../src/access/assertion/assertion-keys.ts';
import { AppError } from '../../../../src/errors.ts';
import { createSealing } from '../../../../src/identity/sealing.ts';
import type { Reading } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { temporaryStore } from '../../store/temporary-store.ts';

const start = Date.UTC(2026, 10, 1);
const minute = 60_000;
const days = 24 * 60 * minute;

let now: number;
let store: Store;
let made: string[];
let faults: unknown[];
const clock = { now: () => now };
const process = (
  secret = 's'.repeat(64),
  change: Store['change'] = store.change,
  read: Reading = store,
): AssertionKeys =>
  createAssertionKeys({
    read,
    change,
    sealing: createSealing(secret, clock),
    clock,
    onFault: (error) => void faults.push(error),
    onMade: (keyId) => void made.push(keyId),
  });
const signs = async (keys: AssertionKeys) => (await keys.signing()).keyId;
const published = async (keys: AssertionKeys) => (await keys.published()).keys.map(({ kid }) => kid);
/** For so long, a request comes each minute, and a verifier reads the keys. */
const goOn = async (duration: number, ...processes: readonly AssertionKeys[]) => {
  const until = now + duration;
  // What nothing happens in is passed over.
  now = Math.max(now, until - 5 * minute);
  for (; now < until; now += minute)
    for (const keys of processes) {
      await keys.signing();
      await keys.published();
    }
};

beforeEach(async () => {
  now = start;
  store = await temporaryStore();
  [made, faults] = [[], []];
});

test('makes the first key when it is needed for signing or published', async () => {
  for (const first of [signs, published]) {
    const keys = process();
    await first(keys);
    expect(await published(keys)).toEqual([await signs(keys)]);
  }
  expect(made).toHaveLength(1);
});

test('stores keys sealed, and publishes only their public part', async () => {
  const keys = process();
  const keyId = await signs(keys);
  const row = await store.selectFrom('assertion_keys').selectAll().executeTakeFirstOrThrow();
  // Five parts (RFC 7516), of which none is a JWK.
  expect(row.private_key.split('.')).toHaveLength(5);
  expect((await keys.published()).keys).toEqual([
    { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: keyId, x: expect.any(String) },
  ]);
});

test('simultaneous requests share one key, in all processes', async () => {
  const [one, other] = [process(), process()];
  const signed = await Promise.all([signs(one), signs(other), signs(one), signs(other), published(other)]);
  expect(new Set(signed.flat()).size).toBe(1);
  expect(made).toHaveLength(1);
});

test('another key signs after a month, once all verifiers have it', async () => {
  const [one, other] = [process(), process()];
  const former = await signs(one);
  expect(await signs(other)).toBe(former);
  await goOn(30 * days + minute, one, other);
  expect(made).toHaveLength(2);
  const later = made[1];
  expect(await published(other)).toEqual([former, later]);
  const { maxAge } = await one.published();
  // A list that was kept before the key was made is over by then.
  await goOn(maxAge * 1_000 + minute, one, other);
  expect([await signs(one), await signs(other)]).toEqual([former, former]);
  await goOn(10 * minute, one, other);
  expect([await signs(one), await signs(other)]).toEqual([later, later]);
  // What the former one signed last is valid for another minute.
  expect(await published(one)).toEqual([former, later]);
  await goOn(10 * minute, one, other);
  expect([await published(one), await published(other)]).toEqual([[later], [later]]);
});

test('keeps two keys at most', async () => {
  const keys = process();
  for (let month = 0; month < 4; month += 1) await goOn(30 * days + 30 * minute, keys);
  const rows = await store.selectFrom('assertion_keys').select('key_id').orderBy('created_at').execute();
  expect(rows.map(({ key_id: id }) => id)).toEqual(made.slice(-2));
});

test('publishes a key that was sealed with another secret, without using it', async () => {
  const former = await signs(process());
  now += minute;
  const keys = process('t'.repeat(64));
  const later = await signs(keys);
  expect(later).not.toBe(former);
  expect(await published(keys)).toEqual([former, later]);
});

test('keeps using the key of last month while the store is read-only', async () => {
  const keys = process(undefined, (...change) =>
    now === start ? store.change(...change) : Promise.reject(new AppError('store_unavailable')),
  );
  const first = await signs(keys);
  await goOn(31 * days, keys);
  expect([await signs(keys), await published(keys)]).toEqual([first, [first]]);
  expect(faults.length).toBeGreaterThan(0);
});

test('without the store, a cached key still signs, and no other process does', async () => {
  let isAway = false;
  const read: Reading = {
    selectFrom: ((table: 'assertion_keys') => {
      if (isAway) throw new AppError('store_unavailable');
      return store.selectFrom(table);
    }) as Reading['selectFrom'],
    executeQuery: () => Promise.reject(new Error('unexpected query')),
  };
  const keys = process(undefined, undefined, read);
  const first = await signs(keys);
  isAway = true;
  now += 2 * minute;
  expect([await signs(keys), await published(keys)]).toEqual([first, [first]]);
  const late = process(undefined, undefined, read);
  for (const attempt of [signs, published, signs]) await expect(attempt(late)).rejects.toThrow();
});

test('makes no key when the clock goes back', async () => {
  const keys = process();
  const first = await signs(keys);
  now -= 365 * days;
  expect([await signs(keys), await published(keys), await signs(process())]).toEqual([first, [first], first]);
  expect(made).toHaveLength(1);
});
