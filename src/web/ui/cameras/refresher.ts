/** What time does for whoever waits. */
export interface Timers {
  /** Milliseconds, on a clock that never goes back. */
  now(): number;
  /** @returns takes it back */
  after(milliseconds: number, work: () => void): () => void;
}

export const browserTimers: Timers = {
  now: () => performance.now(),
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};

export interface Refreshing {
  /** Milliseconds from the end of one load to the beginning of the next of the same key. */
  readonly every: number;
  /** Milliseconds that are waited at most when one load after the other fails. */
  readonly worst: number;
  /** Loads at the same time, whatever the number of keys. */
  readonly parallel: number;
  /** Of a load that failed: the next one would fail in the same way, and waits until somebody comes back. */
  readonly isFinal?: (error: unknown) => boolean;
  readonly timers: Timers;
}

/** Loads one thing. It ends when the signal says so. */
export type Load = (signal: AbortSignal) => Promise<void>;

interface Task {
  load: Load | undefined;
  /** When the next load may begin. */
  due: number;
  failures: number;
  running: AbortController | undefined;
}

/**
 * Loads what is in view again and again: each key once at a time, some keys at the same time, whoever has waited longest first.
 * A key that fails waits longer each time.
 */
export function createRefresher({ every, worst, parallel, isFinal = () => false, timers }: Refreshing) {
  const tasks = new Map<string, Task>();
  let running = 0;
  let isPaused = false;
  let takeBack = () => {};

  const begin = async (task: Task, load: Load) => {
    const controller = new AbortController();
    task.running = controller;
    running += 1;
    const failed = await load(controller.signal).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    running -= 1;
    task.running = undefined;
    // What was given up is neither good nor bad, and is due when somebody looks again.
    if (failed === undefined || !controller.signal.aborted) {
      task.failures = failed === undefined ? 0 : task.failures + 1;
      const isOver = failed !== undefined && isFinal(failed.error);
      task.due = isOver ? Infinity : timers.now() + Math.min(worst, every * 2 ** task.failures);
    }
    look();
  };

  const look = () => {
    takeBack();
    if (isPaused) return;
    const waiting = [...tasks.values()]
      .filter(({ load, due, running: begun }) => load !== undefined && due < Infinity && begun === undefined)
      .toSorted((a, b) => a.due - b.due);
    const now = timers.now();
    for (const task of waiting) {
      if (running >= parallel) return;
      if (task.due > now) {
        takeBack = timers.after(task.due - now, look);
        return;
      }
      if (task.load !== undefined) void begin(task, task.load);
    }
  };

  return {
    /** A key comes into view. @returns it goes out of it: what is being loaded is given up */
    show: (key: string, load: Load): (() => void) => {
      const task = tasks.get(key) ?? { load, due: timers.now(), failures: 0, running: undefined };
      task.load = load;
      tasks.set(key, task);
      look();
      return () => {
        if (task.load !== load) return;
        task.load = undefined;
        task.running?.abort();
      };
    },
    /** Nobody looks: nothing begins, and what is being loaded is given up. */
    pause: () => {
      isPaused = true;
      takeBack();
      for (const task of tasks.values()) task.running?.abort();
    },
    resume: () => {
      isPaused = false;
      for (const task of tasks.values()) if (task.due === Infinity) task.due = timers.now();
      look();
    },
    /** What has failed is tried at once, as when the network is back. */
    retry: () => {
      for (const task of tasks.values()) if (task.failures > 0) task.due = timers.now();
      look();
    },
  };
}

export type Refresher = ReturnType<typeof createRefresher>;
