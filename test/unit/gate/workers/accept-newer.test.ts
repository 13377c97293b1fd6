import { expect, test } from 'vitest';
import { acceptNewer } from '../../../../src/gate/workers/accept-newer.ts';

test('ignores a version that is older than a known one, or the same', () => {
  const isNewer = acceptNewer();
  expect([0n, 5n, 3n, 5n, 6n].map(isNewer)).toEqual([true, true, false, false, true]);
});
