/** At most `most` events a key in `seconds`. */
export interface WindowRule {
  /** Names the counter: rules that count different things need different names. */
  readonly name: string;
  readonly most: number;
  readonly seconds: number;
}

export interface Taken {
  /** False: all places were taken. */
  readonly isTaken: boolean;
  /** When the window ends: milliseconds by the counter's clock. It identifies the window. */
  readonly ends: number;
  /** Milliseconds until then. */
  readonly wait: number;
}

/**
 * Counts by key in fixed windows, which start with the first event. Everything that shares an instance shares the counts: at
 * most `most` events pass, however many callers ask at once.
 * @throws AppError `store_unavailable` when the counts cannot be read: nothing passes then
 */
export interface CountedWindows {
  /** Takes a place if one is left. */
  take(rule: WindowRule, key: string): Promise<Taken>;
  /** Frees a place. Does nothing for a window that has ended: its places are free already. */
  giveBack(rule: WindowRule, key: string, ends: number): Promise<void>;
  /** Forgets windows that are over. */
  prune(): Promise<void>;
}

/** Below this size, pruning is not worth it. */
const fewWindows = 10_000;

/**
 * Counts in this process: the counts are lost at its end.
 * @param elapsed milliseconds, monotonic
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
      // Otherwise a flood from ever new addresses would fill the memory.
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

export function windowId({ name }: WindowRule, key: string): string {
  return `${name} of ${key}`;
}

/** @returns whole seconds to wait, at least one */
export function secondsToWait({ seconds }: WindowRule, wait: number): number {
  // It can be too long when the store's clock was set back.
  return Math.max(1, Math.min(seconds, Math.ceil(wait / 1_000)));
}
