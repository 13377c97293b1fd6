import { expect, test } from 'vitest';
import { createHops } from '../../../../src/http/reverse-proxy/hops.ts';

const sent = (...values: string[]) => values.flatMap((value) => ['X-Postern-Hops', value]);

test('names each gate once, in order', () => {
  const hops = createHops('this', () => undefined);
  expect(hops.next(['Host', 'a'])).toBe('this');
  expect(hops.next(sent('one', 'two, three'))).toBe('one, two, three, this');
});

test.each([['this'], ['one, this'], ['one,this , two']])('finds its own name in %j', (value) => {
  let loops = 0;
  const hops = createHops('this', () => (loops += 1));
  expect(hops.isLooping()).toBe(false);
  for (let i = 0; i < 5; i += 1)
    expect(() => hops.next(sent('zero', value))).toThrow(expect.objectContaining({ code: 'loop_detected' }));
  expect([hops.isLooping(), loops]).toEqual([true, 1]);
});

test('a client can neither hide a loop nor grow the header', () => {
  const hops = createHops('this', () => undefined);
  expect(hops.next(sent('', ' , ', 'one two', 'x'.repeat(65), 'a;b', 'this!'))).toBe('this');
  const many = Array.from({ length: 16 }, (_, n) => `gate${n}`).join(',');
  expect(() => hops.next(sent(many))).toThrow(expect.objectContaining({ code: 'loop_detected' }));
  expect(hops.isLooping()).toBe(false);
});
