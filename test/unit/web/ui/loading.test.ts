import { expect, test } from 'vitest';
import { listOf } from '../../../../src/web/ui/loading.ts';

const evens = (numbers: readonly number[]) => numbers.filter((number) => number % 2 === 0);
const error = new Error('away');

test.each([
  [{ kind: 'loading' }, { kind: 'loading', items: [], next: null }],
  [
    { kind: 'failed', error },
    { kind: 'failed', items: [], next: null, error },
  ],
  [
    { kind: 'loaded', value: [1, 2] },
    { kind: 'complete', items: [2], next: null, error: undefined },
  ],
  [
    { kind: 'loaded', value: [1, 2], error },
    { kind: 'failed', items: [2], next: null, error },
  ],
] as const)('what is %j is a list of one page', (state, list) => {
  expect(listOf<readonly number[], number>(state, evens)).toEqual(list);
});
