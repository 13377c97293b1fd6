import { expect, test } from 'vitest';
import { acceptNewer } from '../../../../src/gate/workers/accept-newer.ts';

test('what was read earlier than something that is known changes nothing, nor does the same again', () => {
  const isNewer = acceptNewer();
  expect([0n, 5n, 3n, 5n, 6n].map(isNewer)).toEqual([true, true, false, false, true]);
});
