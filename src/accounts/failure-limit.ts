import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { isIPv6 } from 'node:net';
import { systemClock } from '../clock.ts';
import { canonicalAddress } from '../policy/client-address.ts';

/** One attempt that was let through; it counts as failed until its place is given back. */
interface Attempt {
  /** It succeeded, or it was not made. */
  giveBack(): Promise<void>;
}

/** Limits failed logins for each client address; starts empty with the process. */
export interface FailureLimit {
  /**
   * Takes a place before the password is looked at, so that parallel guesses cannot share one.
   * @param address of the client
   * @returns the attempt, or how many seconds to wait
   */
  reserve(address: string): Promise<Attempt | { readonly retryAfterSeconds: number }>;
}

const seconds = { second: 1, minute: 60, hour: 3_600 } as const;

/**
 * @param rules such as `5/minute;20/hour`, checked by the configuration; undefined: no limit
 * @param onLimited told of each attempt that is turned away
 */
export function createFailureLimit(
  rules: string | undefined,
  onLimited: () => void = () => undefined,
): FailureLimit {
  const limiters = parseRules(rules).map(
    ({ count, duration }) => new RateLimiterMemory({ points: count, duration }),
  );
  return {
    reserve: async (address) => {
      const key = addressKey(address);
      const taken: Place[] = [];
      const giveBack = async () => {
        for (const place of taken.splice(0)) await freePlace(place, key);
      };
      for (const limiter of limiters) {
        const result = await limiter.consume(key).catch((reason: unknown) => {
          if (reason instanceof RateLimiterRes) return reason;
          throw reason;
        });
        taken.push({ limiter, ends: endOf(result) });
        if (result.consumedPoints <= limiter.points) continue;
        onLimited();
        await giveBack();
        // A clock that went back makes it long; the window itself ends by a timer.
        const wait = Math.min(limiter.duration, Math.ceil(result.msBeforeNext / 1000));
        return { retryAfterSeconds: Math.max(1, wait) };
      }
      return { giveBack };
    },
  };
}

/** A place in the window of one rule. */
interface Place {
  readonly limiter: RateLimiterMemory;
  /** When the window ends, in milliseconds since the epoch. */
  readonly ends: number;
}

/** A place of a window that is over is no longer taken, and the next window is not its owner's to change. */
async function freePlace({ limiter, ends }: Place, key: string): Promise<void> {
  const window = await limiter.get(key);
  const isSameWindow = window !== null && Math.abs(endOf(window) - ends) < 100;
  if (isSameWindow) await limiter.reward(key);
}

function endOf({ msBeforeNext }: RateLimiterRes): number {
  return systemClock.now() + msBeforeNext;
}

function parseRules(
  rules: string | undefined,
): ReadonlyArray<{ readonly count: number; readonly duration: number }> {
  return (rules ?? '')
    .split(';')
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '')
    .map((rule) => {
      const [count, unit] = rule.split('/') as [string, keyof typeof seconds];
      return { count: Number(count), duration: seconds[unit] };
    });
}

/** What counts as one client: an IPv4 address, or the /64 that an IPv6 host usually has for itself (RFC 6177). */
export function addressKey(address: string): string {
  const canonical = canonicalAddress(address);
  if (!isIPv6(canonical)) return canonical;
  const [head = '', tail = ''] = canonical.split('::');
  const groups = head.split(':').filter(Boolean);
  const after = tail.split(':').filter(Boolean);
  const zeros = canonical.includes('::') ? 8 - groups.length - after.length : 0;
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...after];
  return `${all.slice(0, 4).join(':')}::/64`;
}
