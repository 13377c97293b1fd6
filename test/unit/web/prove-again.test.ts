import { expect, test } from 'vitest';
import { proveAgain, proveBy } from '../../../src/web/prove-again.ts';

test('several calls wait for one proof, and a later call asks again', async () => {
  const asked: Array<(isProved: boolean) => void> = [];
  proveBy(() => new Promise((resolve) => asked.push(resolve)));
  const waiting = [proveAgain(), proveAgain()];
  expect(asked.length).toBe(1);
  asked[0]?.(true);
  expect(await Promise.all(waiting)).toEqual([true, true]);
  const again = proveAgain();
  expect(asked.length).toBe(2);
  asked[1]?.(false);
  expect(await again).toBe(false);
});
