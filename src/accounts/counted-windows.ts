import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { systemClock } from '../clock.ts';

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

/** Counts in this process: the counts begin and end with it. */
export function createWindowsInMemory(): CountedWindows {
  const limiters = new Map<string, RateLimiterMemory>();
  const limiterOf = ({ name, most, seconds }: WindowRule): RateLimiterMemory => {
    const known = limiters.get(name);
    if (known !== undefined) return known;
    const made = new RateLimiterMemory({ points: most, duration: seconds });
    limiters.set(name, made);
    return made;
  };
  return {
    take: async (rule, key) => {
      const limiter = limiterOf(rule);
      const result = await limiter.consume(key).catch((reason: unknown) => {
        if (reason instanceof RateLimiterRes) return reason;
        throw reason;
      });
      const isTaken = result.consumedPoints <= rule.most;
      if (!isTaken) await limiter.reward(key);
      return { isTaken, ends: endOf(result), wait: result.msBeforeNext };
    },
    giveBack: async (rule, key, ends) => {
      const limiter = limiterOf(rule);
      const window = await limiter.get(key);
      const isSameWindow = window !== null && Math.abs(endOf(window) - ends) < 100;
      if (isSameWindow) await limiter.reward(key);
    },
    // Each goes by itself.
    prune: async () => undefined,
  };
}

function endOf({ msBeforeNext }: RateLimiterRes): number {
  return systemClock.now() + msBeforeNext;
}

/** @returns whole seconds to wait, at least one */
export function secondsToWait({ seconds }: WindowRule, wait: number): number {
  // A clock that went back makes it long; the window itself ends in time.
  return Math.max(1, Math.min(seconds, Math.ceil(wait / 1_000)));
}
