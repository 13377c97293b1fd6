/** Limit of how often something may happen per key in so many seconds. */
export interface WindowRule {
  /** Rules that count different things have different names. */
  readonly name: string;
  readonly most: number;
  readonly seconds: number;
}

/** The result of trying to take a place in a window. */
export interface Taken {
  readonly isTaken: boolean;
  /** End of the window, in milliseconds by the clock of the counter. It identifies the window. */
  readonly ends: number;
  /** Milliseconds until then. */
  readonly wait: number;
}

/**
 * Counts by key, in windows that begin with the first attempt. All who share an instance share the counts: no more than `most`
 * get through, however many ask at once.
 * @throws AppError `store_unavailable` when the counter cannot be reached; then nothing is let through
 */
export interface CountedWindows {
  /** Takes a place if one is left. */
  take(rule: WindowRule, key: string): Promise<Taken>;
  /** Frees a place. It does nothing once the window is over, because the next window belongs to others. */
  giveBack(rule: WindowRule, key: string, ends: number): Promise<void>;
  /** Deletes windows that are over. */
  prune(): Promise<void>;
}

/** Below this number, looking for expired windows is not worth it. */
const fewWindows = 10_000;

/** Counts in this process: the counts begin and end with it. @param elapsed milliseconds that never go back */
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
      // Entries of a flood from many addresses are kept no longer than their windows.
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

/** Identifies a count. */
export function windowId({ name }: WindowRule, key: string): string {
  return `${name} of ${key}`;
}

/** @returns whole seconds to wait, at least one */
export function secondsToWait({ seconds }: WindowRule, wait: number): number {
  // If the store's clock went back, the wait can be too long.
  return Math.max(1, Math.min(seconds, Math.ceil(wait / 1_000)));
}
