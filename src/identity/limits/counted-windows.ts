/** How often something may happen for each key in so many seconds. */
export interface WindowRule {
  /** Two rules that count different things have different names. */
  readonly name: string;
  readonly most: number;
  readonly seconds: number;
}

/** What became of an attempt to take a place in a window. */
export interface Taken {
  /** False: all places were taken. */
  readonly isTaken: boolean;
  /** When the window ends: milliseconds by the clock of whoever counts. It names the window. */
  readonly ends: number;
  /** Milliseconds until then. */
  readonly wait: number;
}

/**
 * Counts by key, in windows that begin with the first that is counted. Whoever shares one shares the counts: no more than
 * `most` get through, however many ask at once and wherever.
 * @throws AppError `store_unavailable` when whoever counts cannot be asked: then nothing is let through
 */
export interface CountedWindows {
  /** Takes a place if one is left. */
  take(rule: WindowRule, key: string): Promise<Taken>;
  /** Frees a place. One of a window that is over is free already, and the next window is not its owner's to change. */
  giveBack(rule: WindowRule, key: string, ends: number): Promise<void>;
  /** Forgets windows that are over. */
  prune(): Promise<void>;
}

/** Fewer are not worth a look at which are over. */
const fewWindows = 10_000;

/**
 * Counts in this process: the counts begin and end with it.
 * @param elapsed milliseconds that never go back
 */
export function createWindowsInMemory(elapsed: () => number = () => performance.now()): CountedWindows {
  const windows = new Map<string, { readonly ends: number; count: number }>();
  const prune = () => {
    for (const [id, { ends }] of windows) if (ends <= elapsed()) windows.delete(id);
  };
  let pruneAt = fewWindows;
  return {
    take: async (rule, key) => {
      const now = elapsed();
      const id = windowId(rule, key);
      const known = windows.get(id);
      const window =
        known !== undefined && known.ends > now ? known : { ends: now + rule.seconds * 1_000, count: 0 };
      const isTaken = window.count < rule.most;
      if (isTaken) {
        window.count += 1;
        windows.set(id, window);
      }
      // A flood from ever other addresses is held no longer than its windows.
      if (windows.size > pruneAt) {
        prune();
        pruneAt = Math.max(fewWindows, 2 * windows.size);
      }
      return { isTaken, ends: window.ends, wait: window.ends - now };
    },
    giveBack: async (rule, key, ends) => {
      const window = windows.get(windowId(rule, key));
      if (window?.ends === ends && window.count > 0) window.count -= 1;
    },
    prune: async () => prune(),
  };
}

/** Names what is counted together. */
export function windowId({ name }: WindowRule, key: string): string {
  return `${name} of ${key}`;
}

/** @returns whole seconds to wait, at least one */
export function secondsToWait({ seconds }: WindowRule, wait: number): number {
  // A clock of the store that went back makes it long.
  return Math.max(1, Math.min(seconds, Math.ceil(wait / 1_000)));
}
