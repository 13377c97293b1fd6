import { expect, test } from 'vitest';
import { chainOf, heldBy } from '../../../../../src/web/pages/why/chain.ts';

test.each<[reason: string, states: string]>([
  ['allowed', 'identity yes, schedule yes, camera yes, may yes'],
  ['user_blocked', 'identity no, schedule skip, camera skip, may skip'],
  ['second_factor_missing', 'identity no, schedule skip, camera skip, may skip'],
  ['role_outside_schedule', 'identity yes, schedule no, camera skip, may skip'],
  ['camera_not_granted', 'identity yes, schedule yes, camera no, may skip'],
  ['role_may_not', 'identity yes, schedule yes, camera yes, may no'],
  ['messages_unfiltered', 'identity yes, schedule yes, camera yes, may yes, rest no'],
  ['constructor', 'identity yes, schedule yes, camera yes, may yes, rest no'],
])('%s', (reason, states) => {
  const links = chainOf({ verdict: reason === 'allowed' ? 'allow' : 'forbidden', reason });
  expect(links.map(({ check, state }) => `${check} ${state}`).join(', ')).toBe(states);
});

test.each<[granted: number, named: number, more: number]>([
  [0, 0, 0],
  [4, 4, 0],
  [5, 5, 0],
  [6, 4, 2],
  [40, 4, 36],
])('of %i cameras, %i are named and %i are not', (count, named, more) => {
  const granted = Array.from({ length: count }, (_, i) => `camera_${i}`);
  const held = heldBy(granted, { may: ['live'] });
  expect(held).toEqual({ cameras: granted.slice(0, named), more, may: ['live'] });
});
