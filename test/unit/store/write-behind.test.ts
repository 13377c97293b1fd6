import { expect, test } from 'vitest';
import { createWriteBehind, type WriteBehindOptions } from '../../../src/store/write-behind.ts';

function recording(options: Partial<WriteBehindOptions<string>> = {}) {
  const batches: Array<readonly string[]> = [];
  const dropped: string[] = [];
  const errors: unknown[] = [];
  const queue = createWriteBehind<string>({
    write: async (items) => void batches.push(items),
    interval: 60_000,
    batch: 3,
    most: 5,
    onError: (error) => errors.push(error),
    onDrop: (item) => dropped.push(item),
    ...options,
  });
  return { queue, batches, dropped, errors };
}

test('writes items in order, in batches', async () => {
  const { queue, batches } = recording();
  for (const item of ['a', 'b', 'c', 'd', 'a']) queue.put(item);
  await queue.close();
  expect(batches).toEqual([
    ['a', 'b', 'c'],
    ['d', 'a'],
  ]);
});

test('an item replaces a pending one of the same key', async () => {
  const { queue, batches } = recording();
  queue.put('first', 1);
  queue.put('other', 2);
  queue.put('last', 1);
  await queue.close();
  expect(batches).toEqual([['last', 'other']]);
});

test('merges items of the same key, also after a failed write', async () => {
  const { queue, batches, errors } = recording({
    merge: (earlier, later) => earlier + later,
    write: async (items) => {
      batches.push(items);
      if (batches.length > 1) return;
      queue.put('d', 1);
      throw new Error('disk full');
    },
  });
  queue.put('a', 1);
  queue.put('b', 1);
  queue.put('c', 2);
  await queue.flush();
  expect(errors).toHaveLength(1);
  expect(queue.unwritten()).toEqual(['ab', 'c', 'd']);
  await queue.close();
  expect(batches).toEqual([
    ['ab', 'c'],
    ['abd', 'c'],
  ]);
  expect(queue.unwritten()).toEqual([]);
});

test('writes an item put while its key is being written', async () => {
  const { queue, batches } = recording({
    write: async (items) => {
      batches.push(items);
      if (batches.length === 1) queue.put('later', 1);
    },
  });
  queue.put('first', 1);
  await queue.close();
  expect(batches).toEqual([['first'], ['later']]);
});

test('drops and reports items beyond the maximum; a pending key still merges', async () => {
  const { queue, batches, dropped } = recording({ most: 2 });
  queue.put('a', 1);
  queue.put('b', 2);
  queue.put('c', 3);
  queue.put('b again', 2);
  await queue.close();
  expect(dropped).toEqual(['c']);
  expect(batches).toEqual([['a', 'b again']]);
});

test('keeps items after a failed write, and writes them next time', async () => {
  let isFull = true;
  const { queue, batches, errors } = recording({
    write: async (items) => {
      if (isFull) throw new Error('disk full');
      batches.push(items);
    },
  });
  queue.put('a');
  await queue.flush();
  expect(errors).toEqual([new Error('disk full')]);
  isFull = false;
  queue.put('b');
  await queue.close();
  expect(batches).toEqual([['a', 'b']]);
});

test('writes by itself after the interval', async () => {
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  const { queue } = recording({ interval: 5, write: async (items) => resolve(items) });
  queue.put('a');
  expect(await promise).toEqual(['a']);
  await queue.close();
});
