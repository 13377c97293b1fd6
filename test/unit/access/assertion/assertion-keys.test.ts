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
/** A request comes each minute, and whoever checks reads the keys, for so long. */
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

test('the first key is made when something is signed, or when somebody asks for it', async () => {
  for (const first of [signs, published]) {
    const keys = process();
    await first(keys);
    expect(await published(keys)).toEqual([await signs(keys)]);
  }
  expect(made).toHaveLength(1);
});

test('what is kept is sealed, and what is published says nothing of the private part', async () => {
  const keys = process();
  const keyId = await signs(keys);
  const row = await store.selectFrom('assertion_keys').selectAll().executeTakeFirstOrThrow();
  // Five parts (RFC 7516), of which none is a JWK.
  expect(row.private_key.split('.')).toHaveLength(5);
  expect((await keys.published()).keys).toEqual([
    { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: keyId, x: expect.any(String) },
  ]);
});

test('requests that come at once wait for one key, whichever process they come to', async () => {
  const [one, other] = [process(), process()];
  const signed = await Promise.all([signs(one), signs(other), signs(one), signs(other), published(other)]);
  expect(new Set(signed.flat()).size).toBe(1);
  expect(made).toHaveLength(1);
});

test('after a month another key signs, once everybody can know it', async () => {
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
  // What the former one signed last is good for another minute.
  expect(await published(one)).toEqual([former, later]);
  await goOn(10 * minute, one, other);
  expect([await published(one), await published(other)]).toEqual([[later], [later]]);
});

test('no more than two keys are kept', async () => {
  const keys = process();
  for (let month = 0; month < 4; month += 1) await goOn(30 * days + 30 * minute, keys);
  const rows = await store.selectFrom('assertion_keys').select('key_id').orderBy('created_at').execute();
  expect(rows.map(({ key_id: id }) => id)).toEqual(made.slice(-2));
});

test('a key that was sealed with another secret signs nothing, and is still published', async () => {
  const former = await signs(process());
  now += minute;
  const keys = process('t'.repeat(64));
  const later = await signs(keys);
  expect(later).not.toBe(former);
  expect(await published(keys)).toEqual([former, later]);
});

test('a store that takes no change: the key of last month goes on', async () => {
  const keys = process(undefined, (...change) =>
    now === start ? store.change(...change) : Promise.reject(new AppError('store_unavailable')),
  );
  const first = await signs(keys);
  await goOn(31 * days, keys);
  expect([await signs(keys), await published(keys)]).toEqual([first, [first]]);
  expect(faults.length).toBeGreaterThan(0);
});

test('a store that cannot be read: who knows a key goes on, and nobody else signs', async () => {
  let isAway = false;
  const read: Reading = {
    selectFrom: ((table: 'assertion_keys') => {
      if (isAway) throw new AppError('store_unavailable');
      return store.selectFrom(table);
    }) as Reading['selectFrom'],
    executeQuery: () => Promise.reject(new Error('nobody asks so')),
  };
  const keys = process(undefined, undefined, read);
  const first = await signs(keys);
  isAway = true;
  now += 2 * minute;
  expect([await signs(keys), await published(keys)]).toEqual([first, [first]]);
  const late = process(undefined, undefined, read);
  for (const attempt of [signs, published, signs]) await expect(attempt(late)).rejects.toThrow();
});

test('a clock that goes back makes no key', async () => {
  const keys = process();
  const first = await signs(keys);
  now -= 365 * days;
  expect([await signs(keys), await published(keys), await signs(process())]).toEqual([first, [first], first]);
  expect(made).toHaveLength(1);
});
