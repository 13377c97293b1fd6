import { expect, test } from 'vitest';
import { createPauses } from '../../../../src/features/alerts/pauses.ts';

test('pauses grow while it fails, and are over once it works', () => {
  let elapsed = 0;
  const pauses = createPauses({ elapsed: () => elapsed, first: 10, longest: 35 });
  const lengths: number[] = [];
  for (let i = 0; i < 4; i += 1) {
    pauses.failed('a');
    // Of several at once, one counts.
    pauses.failed('a');
    const began = elapsed;
    while (pauses.has('a')) elapsed += 1;
    lengths.push(elapsed - began);
  }
  expect(lengths).toEqual([10, 20, 35, 35]);
  expect(pauses.has('b')).toBe(false);
  pauses.failed('a');
  pauses.succeeded('a');
  expect(pauses.has('a')).toBe(false);
  pauses.failed('a');
  elapsed += 10;
  expect(pauses.has('a')).toBe(false);
});
