import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../errors.ts';

/** In seconds. Nobody does it so often by hand. */
const most = {
  api_token: { points: 60, duration: 3_600 },
  own_password: { points: 60, duration: 3_600 },
  own_sessions: { points: 20, duration: 60 },
} as const;

/** What an account may do to itself as often as it likes, but for this limit. */
type OwnChange = keyof typeof most;

/**
 * Limits what accounts change of their own: each change is a write to the accounts, which voids what is remembered of
 * everybody, and a record, which stays long. It starts empty with the process.
 */
export interface ChangeLimit {
  /** @throws AppError `too_many_requests` */
  take(change: OwnChange, username: string): Promise<void>;
}

export function createChangeLimit(): ChangeLimit {
  const limiters = {
    api_token: new RateLimiterMemory(most.api_token),
    own_password: new RateLimiterMemory(most.own_password),
    own_sessions: new RateLimiterMemory(most.own_sessions),
  } satisfies Record<OwnChange, RateLimiterMemory>;
  return {
    take: async (change, username) => {
      await limiters[change].consume(username).catch((reason: unknown) => {
        if (!(reason instanceof RateLimiterRes)) throw reason;
        const wait = Math.min(most[change].duration, Math.ceil(reason.msBeforeNext / 1000));
        throw new AppError('too_many_requests', { retryAfterSeconds: Math.max(1, wait) });
      });
    },
  };
}
