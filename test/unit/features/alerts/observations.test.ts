import { expect, test, vi } from 'vitest';
import type { Timers } from '../../../../src/clock.ts';
import { createSignInFailures } from '../../../../src/features/alerts/observations.ts';

/** Time that a test lets pass. */
function timersByHand() {
  let now = 0;
  const due: Array<{ readonly at: number; readonly run: () => void }> = [];
  const timers: Timers = {
    elapsed: () => now,
    after: (milliseconds, run) => {
      const timer = { at: now + milliseconds, run };
      due.push(timer);
      return () => void due.splice(due.indexOf(timer), 1);
    },
  };
  const pass = (milliseconds: number) => {
    const end = now + milliseconds;
    for (;;) {
      const next = due.filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)[0];
      if (next === undefined) break;
      due.splice(due.indexOf(next), 1);
      now = next.at;
      next.run();
    }
    now = end;
  };
  return { timers, pass };
}

function started() {
  const { timers, pass } = timersByHand();
  const onBurst = vi.fn<(count: number, address: string | undefined) => void>();
  const { note, close } = createSignInFailures(timers, onBurst);
  return {
    note: (times: number, from = '192.0.2.1') => Array.from({ length: times }, () => note(from)),
    pass,
    onBurst,
    close,
  };
}

const minute = 60_000;
const hour = 60 * minute;

test('ten thousand refusals in a minute are one alert, with their number and their address', () => {
  const { note, pass, onBurst } = started();
  note(10_000);
  pass(minute);
  expect(onBurst.mock.calls).toEqual([[10_000, '192.0.2.1']]);
});

test('from several addresses they have none', () => {
  const { note, pass, onBurst } = started();
  note(5);
  note(6, '192.0.2.2');
  pass(minute);
  expect(onBurst.mock.calls).toEqual([[11, undefined]]);
});

test('a few are people who mistype', () => {
  const { note, pass, onBurst } = started();
  for (let i = 0; i < 20; i += 1) {
    note(9);
    pass(minute);
  }
  expect(onBurst).not.toHaveBeenCalled();
});

test('an attack that goes on alerts once an hour, and the next one at once', () => {
  const { note, pass, onBurst } = started();
  for (let i = 0; i < 121; i += 1) {
    note(100);
    pass(minute);
  }
  expect(onBurst.mock.calls.map(([count]) => count)).toEqual([100, 6_000, 6_000]);
  pass(2 * hour);
  note(50);
  pass(minute);
  expect(onBurst.mock.calls.at(-1)).toEqual([50, '192.0.2.1']);
});

test('nothing comes after the end', () => {
  const { note, pass, onBurst, close } = started();
  note(100);
  close();
  pass(hour);
  expect(onBurst).not.toHaveBeenCalled();
});
