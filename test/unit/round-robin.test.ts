import { expect, test } from 'vitest';
import { createRoundRobin, type Sliced } from '../../src/round-robin.ts';
import { mostInOneTurn } from '../support/turns.ts';

function slices(name: string, count: number, log: string[]): Sliced<string> {
  return (function* () {
    for (let slice = 1; slice <= count; slice += 1) {
      if (slice > 1) yield;
      log.push(`${name}${slice}`);
    }
    return `${name} is done`;
  })();
}

test('returns the result of the work', async () => {
  const { run } = createRoundRobin();
  expect(await run('ann', slices('a', 3, []))).toBe('a is done');
  expect(await run('ann', slices('b', 1, []))).toBe('b is done');
});

test('clients take turns; the work of one is done piece by piece', async () => {
  const { run } = createRoundRobin();
  const log: string[] = [];
  await Promise.all([
    run('ann', slices('a', 3, log)),
    run('ann', slices('b', 2, log)),
    run('ann', slices('c', 1, log)),
    run('bob', slices('x', 2, log)),
    run('cid', slices('y', 1, log)),
  ]);
  expect(log).toEqual(['a1', 'x1', 'y1', 'a2', 'x2', 'a3', 'b1', 'b2', 'c1']);
});

test('other work runs between two slices, however many clients there are', async () => {
  const { run } = createRoundRobin();
  const log: string[] = [];
  const works = Array.from({ length: 5 }, (_, client) => run(String(client), slices('s', 4, log)));
  expect(await mostInOneTurn(Promise.all(works), () => log.length)).toBe(1);
  expect(log).toHaveLength(20);
});

test('starts no work synchronously', async () => {
  const { run } = createRoundRobin();
  const log: string[] = [];
  const work = run('ann', slices('a', 1, log));
  expect(log).toEqual([]);
  await work;
  expect(log).toEqual(['a1']);
});

test('failing work stops no other', async () => {
  const { run, underWay } = createRoundRobin();
  const fault = new Error('broken');
  const failing = (function* (): Sliced<never> {
    yield;
    throw fault;
  })();
  const log: string[] = [];
  const outcomes = await Promise.allSettled([
    run('ann', failing),
    run('ann', slices('a', 2, log)),
    run('bob', slices('b', 2, log)),
  ]);
  expect(outcomes).toEqual([
    { status: 'rejected', reason: fault },
    { status: 'fulfilled', value: 'a is done' },
    { status: 'fulfilled', value: 'b is done' },
  ]);
  expect(underWay('ann')).toBe(0);
});

test('counts the work of a client in progress', async () => {
  const { run, underWay } = createRoundRobin();
  const works = [
    run('ann', slices('a', 2, [])),
    run('ann', slices('b', 2, [])),
    run('bob', slices('c', 1, [])),
  ];
  expect([underWay('ann'), underWay('bob'), underWay('cid')]).toEqual([2, 1, 0]);
  await Promise.all(works);
  expect([underWay('ann'), underWay('bob')]).toEqual([0, 0]);
});
