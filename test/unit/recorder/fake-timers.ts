import type { Timers } from '../../../src/clock.ts';

export interface FakeTimers extends Timers {
  /** Lets time pass, and what is due happen in its order. */
  advance(milliseconds: number): void;
  /** Milliseconds until each thing that is to happen. */
  waiting(): number[];
  /** @returns whether nothing is left that is to happen now */
  mark(): () => boolean;
}

export function fakeTimers(): FakeTimers {
  let at = 0;
  const waiting = new Set<{ readonly due: number; readonly run: () => void }>();
  return {
    elapsed: () => at,
    after: (milliseconds, run) => {
      const timer = { due: at + milliseconds, run };
      waiting.add(timer);
      return () => void waiting.delete(timer);
    },
    advance: (milliseconds) => {
      const until = at + milliseconds;
      for (;;) {
        const [next] = [...waiting]
          .filter(({ due }) => due <= until)
          .sort((one, other) => one.due - other.due);
        if (next === undefined) break;
        waiting.delete(next);
        at = Math.max(at, next.due);
        next.run();
      }
      at = until;
    },
    mark: () => {
      const marked = [...waiting];
      return () => !marked.some((timer) => waiting.has(timer));
    },
    waiting: () => [...waiting].map(({ due }) => due - at).sort((one, other) => one - other),
  };
}
