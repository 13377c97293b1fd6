import type { Clock } from './page.ts';

/** One picture that is fetched again and again. */
export interface Still {
  /** Milliseconds from the end of one load to the beginning of the next. */
  readonly every: number;
  /** Goes first when several are due: 0 before 1. */
  readonly priority: number;
  /** Rejects when there was no picture. */
  readonly load: (signal: AbortSignal) => Promise<void>;
}

interface Task extends Still {
  due: number;
  failures: number;
  running: AbortController | undefined;
}

/** Parallel loads: browsers open six connections to a server, and Postern's own answers need some. */
const parallel = 4;
const worst = 30_000;

/**
 * Loads stills: few at once, the most important first, and less often when answers are slow, so that a recorder that struggles
 * gets as long a rest as it took to answer. It holds one timer, whatever the number of cameras.
 */
export function createStills(clock: Clock) {
  let tasks: readonly Task[] = [];
  let running = 0;
  let cancel = () => {};

  const begin = (task: Task) => {
    const controller = new AbortController();
    const began = clock.now();
    task.running = controller;
    running += 1;
    const finish = (hasFailed: boolean) => {
      running -= 1;
      task.running = undefined;
      task.failures = hasFailed ? task.failures + 1 : 0;
      const pause = Math.min(worst, Math.max(task.every * 2 ** task.failures, clock.now() - began));
      task.due = clock.now() + pause;
      look();
    };
    task.load(controller.signal).then(
      () => finish(false),
      () => finish(true),
    );
  };

  const look = () => {
    cancel();
    const now = clock.now();
    const waiting = tasks.filter((task) => task.running === undefined);
    const due = waiting
      .filter((task) => task.due <= now)
      .sort((a, b) => a.priority - b.priority || a.due - b.due);
    for (const task of due) if (running < parallel) begin(task);
    if (running >= parallel) return;
    const next = waiting
      .filter((task) => task.running === undefined)
      .reduce((least, task) => Math.min(least, task.due), Infinity);
    if (next < Infinity) cancel = clock.after(Math.max(0, next - now), look);
  };

  const stop = () => {
    cancel();
    for (const task of tasks) if (task.running !== undefined) task.running.abort();
    tasks = [];
  };

  return {
    /** Replaces the previous stills, and loads each at once. */
    show: (stills: readonly Still[]) => {
      stop();
      tasks = stills.map((still) => ({ ...still, due: clock.now(), failures: 0, running: undefined }));
      look();
    },
    /** Loads again at once, for example when the network is back. */
    retry: () => {
      for (const task of tasks) task.due = clock.now();
      look();
    },
    stop,
  };
}

export type Stills = ReturnType<typeof createStills>;
