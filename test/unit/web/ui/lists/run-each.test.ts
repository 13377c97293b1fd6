import { expect, test } from 'vitest';
import { runEach } from '../../../../../src/web/ui/lists/run-each.ts';

const refusal = new Error('refused');
const fault = new Error('away');

test.each([
  ['all work', {}, ['a', 'b', 'c'], [], ['a', 'b', 'c']],
  ['one fails, the others are done', { b: fault }, ['a', 'c'], ['b'], ['a', 'b', 'c']],
  ['what would refuse all stops it', { b: refusal }, ['a'], ['b', 'c'], ['a', 'b']],
] as const)('%s', async (_, errors: Readonly<Record<string, Error>>, done, failed, tried) => {
  const asked: string[] = [];
  const outcome = await runEach(
    ['a', 'b', 'c'],
    async (entry) => {
      asked.push(entry);
      const error = errors[entry];
      if (error !== undefined) throw error;
    },
    (error) => error === refusal,
  );
  expect(outcome.done).toEqual(done);
  expect(outcome.failed.map(({ entry }) => entry)).toEqual(failed);
  expect(asked).toEqual(tried);
});
