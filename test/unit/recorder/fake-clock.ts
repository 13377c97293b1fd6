import type { Clock } from '../../../src/recorder/clock.ts';

export interface FakeClock extends Clock {
  /** Lets time pass, and what is due happen in its order. */
  advance(milliseconds: number): void;
  /** Milliseconds until each thing that is to happen. */
  waiting(): number[];
  /** @returns says whether nothing of what is to happen now is to happen any more */
  mark(): () => boolean;
}

export function fakeClock(): FakeClock {
  let at = 0;
  const timers = new Set<{ readonly due: number; readonly run: () => void }>();
  return {
    now: () => at,
    after: (milliseconds, run) => {
      const timer = { due: at + milliseconds, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance: (milliseconds) => {
      const until = at + milliseconds;
      for (;;) {
        const [next] = [...timers]
          .filter(({ due }) => due <= until)
          .sort((one, other) => one.due - other.due);
        if (next === undefined) break;
        timers.delete(next);
        at = Math.max(at, next.due);
        next.run();
      }
      at = until;
    },
    mark: () => {
      const marked = [...timers];
      return () => !marked.some((timer) => timers.has(timer));
    },
    waiting: () => [...timers].map(({ due }) => due - at).sort((one, other) => one - other),
  };
}
