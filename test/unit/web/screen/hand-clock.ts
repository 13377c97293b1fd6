import type { Clock } from '../../../../src/web/screen/page.ts';

/** A clock that goes when a test lets it. */
export function handClock() {
  let now = 1_000_000;
  let timers: Array<{ readonly at: number; readonly work: () => void }> = [];
  const clock: Clock = {
    now: () => now,
    after: (milliseconds, work) => {
      const timer = { at: now + milliseconds, work };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    clock,
    /** Timers that wait. */
    waiting: () => timers.length,
    settled,
    /** Lets time pass, timer after timer, with all that follows from each. */
    pass: async (milliseconds: number) => {
      const end = now + milliseconds;
      await settled();
      for (;;) {
        const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers = timers.filter((other) => other !== next);
        now = Math.max(now, next.at);
        next.work();
        await settled();
      }
      now = end;
    },
  };
}
