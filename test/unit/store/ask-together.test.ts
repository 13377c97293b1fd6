import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { askTogether } from '../../../src/store/ask-together.ts';

/** A store that answers when the test lets it. */
function store() {
  const queries: Array<{ readonly keys: readonly string[]; readonly answer: () => void; fail: () => void }> =
    [];
  const ask = askTogether<string, string>(String, (keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, string>>();
    const known = keys.filter((key) => key !== 'unknown');
    queries.push({
      keys,
      answer: () => resolve(new Map(known.map((key) => [key, `found ${key}`]))),
      fail: () => reject(new Error('away')),
    });
    return promise;
  });
  return { ask, queries };
}

test('asks once for all keys requested in one turn, each key once', async () => {
  const { ask, queries } = store();
  const found = Promise.all(['a', 'b', 'a', 'unknown'].map(ask));
  await nextTurn();
  expect(queries.map(({ keys }) => keys)).toEqual([['a', 'b', 'unknown']]);
  queries[0]?.answer();
  expect(await found).toEqual(['found a', 'found b', 'found a', undefined]);
});

test('adds keys requested during two queries to the next one, even the same keys', async () => {
  const { ask, queries } = store();
  const found = [ask('a')];
  await nextTurn();
  found.push(ask('b'));
  await nextTurn();
  for (const key of ['a', 'c', 'd']) {
    found.push(ask(key));
    await nextTurn();
  }
  expect(queries.map(({ keys }) => keys)).toEqual([['a'], ['b']]);
  queries[0]?.answer();
  await found[0];
  await nextTurn();
  expect(queries.map(({ keys }) => keys)).toEqual([['a'], ['b'], ['a', 'c', 'd']]);
  for (const { answer } of queries) answer();
  expect(await Promise.all(found)).toEqual(['found a', 'found b', 'found a', 'found c', 'found d']);
});

test('asks for at most 500 keys per query', async () => {
  const { ask, queries } = store();
  const found = Promise.all(Array.from({ length: 1_100 }, (_, n) => ask(String(n))));
  for (let asked = 0; asked < 3; asked += 1) {
    while (queries.length <= asked) await nextTurn();
    queries[asked]?.answer();
  }
  expect(queries.map(({ keys }) => keys.length)).toEqual([500, 500, 100]);
  expect((await found).every((text, n) => text === `found ${n}`)).toBe(true);
});

test('answers many callers of one key in several turns', async () => {
  const { ask, queries } = store();
  let answered = 0;
  const found = Promise.all(Array.from({ length: 100 }, () => ask('a').then(() => (answered += 1))));
  await nextTurn();
  queries[0]?.answer();
  await nextTurn();
  expect(answered).toBeGreaterThan(0);
  expect(answered).toBeLessThan(100);
  await found;
});

test('a failed query rejects only the callers that waited for it', async () => {
  const { ask, queries } = store();
  const failed = Promise.allSettled([ask('a'), ask('b')]);
  await nextTurn();
  queries[0]?.fail();
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const found = ask('a');
  await nextTurn();
  queries[1]?.answer();
  expect(await found).toBe('found a');
});
