import { beforeEach, describe, expect, test } from 'vitest';
import { createTrustedClock, type TrustedClock } from '../../../src/store/trusted-clock.ts';

const [second, minute, hour, day, year] = [1_000, 60_000, 3_600_000, 86_400_000, 365 * 86_400_000];
const friday = Date.parse('2026-11-27T18:00:00Z');

/** What the machine's clock shows, and what has really passed. */
let shown: number;
let elapsed: number;
beforeEach(() => {
  shown = friday;
  elapsed = 5_000;
});
const start = (last?: number): TrustedClock =>
  createTrustedClock({ machine: { now: () => shown }, elapsed: () => elapsed, last });
/** Time passes while the gate runs, which looks at its clock every few seconds. */
const pass = (clock: TrustedClock, milliseconds: number) => {
  for (let left = milliseconds; left > 0; left -= 2 * second) {
    shown += Math.min(left, 2 * second);
    elapsed += Math.min(left, 2 * second);
    clock.now();
  }
};
const stateOf = (clock: TrustedClock) => ({ now: clock.now() - friday, isBehind: clock.isBehind() });

test('a gate that has never run trusts the clock', () => {
  const clock = start();
  expect([stateOf(clock), clock.latest()]).toEqual([{ now: 0, isBehind: false }, friday]);
});

describe('at a start, the last trusted time being Friday', () => {
  test.each([
    { name: 'shows Friday', off: 0, now: 0, isBehind: false },
    { name: 'is a week later', off: 7 * day, now: 7 * day, isBehind: false },
    { name: 'is back by three minutes', off: -3 * minute, now: 0, isBehind: false },
    { name: 'is back by five minutes', off: -5 * minute, now: 0, isBehind: false },
    { name: 'is back by more', off: -5 * minute - 1, now: 0, isBehind: true },
    { name: 'is back by a year', off: -year, now: 0, isBehind: true },
    { name: 'is at the epoch', off: -friday, now: 0, isBehind: true },
  ])('a clock that $name', ({ off, now, isBehind }) => {
    shown += off;
    expect(stateOf(start(friday))).toEqual({ now, isBehind });
  });

  test('time goes on by the monotonic clock while the clock is behind', () => {
    shown -= year;
    const clock = start(friday);
    pass(clock, hour);
    expect(stateOf(clock)).toEqual({ now: hour, isBehind: true });
    expect([clock.certain() - friday, clock.latest() - friday, clock.machine() - friday]).toEqual([
      0,
      hour,
      hour - year,
    ]);
    elapsed += 0.25;
    // `Temporal` takes whole milliseconds.
    expect(clock.now()).toBe(friday + hour);
    // The network sets it.
    shown = friday + 2 * hour;
    expect(stateOf(clock)).toEqual({ now: 2 * hour, isBehind: false });
    expect(clock.latest()).toBe(friday + 2 * hour);
  });

  test('a smaller correction stands still until the clock has caught up', () => {
    shown -= 3 * minute;
    const clock = start(friday);
    pass(clock, 2 * minute);
    expect(stateOf(clock)).toEqual({ now: 0, isBehind: false });
    pass(clock, 2 * minute);
    expect(stateOf(clock)).toEqual({ now: minute, isBehind: false });
  });

  test.each([
    { ahead: 31 * day, latest: 31 * day },
    { ahead: 31 * day + 1, latest: 0 },
    { ahead: year, latest: 0 },
  ])('a clock that is ahead by $ahead ms is saved as $latest', ({ ahead, latest }) => {
    shown += ahead;
    const clock = start(friday);
    expect([stateOf(clock), clock.latest() - friday]).toEqual([{ now: ahead, isBehind: false }, latest]);
  });

  test.each([
    [day, false],
    [day + 1, true],
  ])('it began ahead by %d ms: %s', (ahead, beganAhead) => {
    shown += ahead;
    expect([start(friday).beganAhead, start().beganAhead]).toEqual([beganAhead, false]);
  });
});

describe('while it runs', () => {
  let clock: TrustedClock;
  beforeEach(() => {
    clock = start(friday);
    pass(clock, hour);
  });

  test('a clock that jumps back is behind, and time goes on', () => {
    shown -= day;
    pass(clock, minute);
    expect(stateOf(clock)).toEqual({ now: hour + minute, isBehind: true });
  });

  test('a jump of a day ahead counts at once', () => {
    shown += day;
    pass(clock, 2 * second);
    expect(clock.latest() - friday).toBe(hour + day + 2 * second);
  });

  test.each([
    { name: 'two days', ahead: 2 * day, wait: minute },
    { name: '31 days', ahead: 31 * day, wait: minute },
    { name: 'a year', ahead: year, wait: day },
  ])('one that is ahead by $name closes nothing afterwards, until it has stayed', ({ ahead, wait }) => {
    shown += ahead;
    pass(clock, wait);
    // Meanwhile everything expires by the later time.
    expect(stateOf(clock)).toEqual({ now: ahead + hour + wait, isBehind: false });
    expect(clock.latest() - friday).toBe(hour + wait);
    shown -= ahead;
    expect(stateOf(clock)).toEqual({ now: hour + wait, isBehind: false });

    shown += ahead;
    pass(clock, wait + 2 * second);
    expect(clock.latest() - friday).toBe(ahead + hour + 2 * wait + 2 * second);
    shown -= ahead;
    expect(stateOf(clock)).toEqual({ now: ahead + hour + 2 * wait + 2 * second, isBehind: true });
    clock.reset(shown);
    expect(stateOf(clock)).toEqual({ now: hour + 2 * wait + 2 * second, isBehind: false });
  });

  test('a later time of another gate counts, and an earlier one does not', () => {
    clock.learn(friday + 2 * hour);
    expect(stateOf(clock)).toEqual({ now: 2 * hour, isBehind: true });
    clock.learn(friday);
    expect(stateOf(clock)).toEqual({ now: 2 * hour, isBehind: true });
  });
});
