/** A clock and timers. */
export interface Timers {
  /** Milliseconds, on a clock that never goes back. */
  now(): number;
  /** @returns a function that cancels it */
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
  /** The longest wait in milliseconds after repeated failures. */
  readonly worst: number;
  /** Parallel loads, for any number of keys. */
  readonly parallel: number;
  /** Whether a load failed for good: the next one would too, so it waits until the user comes back. */
  readonly isFinal?: (error: unknown) => boolean;
  readonly timers: Timers;
}

/** Loads one thing. It stops when the signal aborts. */
export type Load = (signal: AbortSignal) => Promise<void>;

interface Task {
  load: Load | undefined;
  /** When the next load may begin. */
  due: number;
  failures: number;
  running: AbortController | undefined;
}

/**
 * Repeatedly loads what is in view: each key once at a time, several keys in parallel, the longest waiting first. A key that
 * fails waits longer each time.
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
    // An aborted load counts neither as success nor as failure, and is due once it is visible again.
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
    /** A key comes into view. @returns call it when the key leaves: a running load is aborted */
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
    /** The page is hidden: no load begins, and running ones are aborted. */
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
    /** Retries failed keys at once, for example when the network is back. */
    retry: () => {
      for (const task of tasks.values()) if (task.failures > 0) task.due = timers.now();
      look();
    },
  };
}

export type Refresher = ReturnType<typeof createRefresher>;
