import { withTimeout, type Clock, type Timers } from '../clock.ts';
import { AppError } from '../errors.ts';

// Milliseconds: the contract with operators, docs/growth.md.
const timeoutMs = 800;
const memory = 1_000;

/** @returns what is read. @throws AppError `store_unavailable` if it fails or takes too long */
export async function readInTime<T extends object>(
  read: () => Promise<T>,
  { after }: Pick<Timers, 'after'>,
): Promise<T> {
  const found = await withTimeout(read(), timeoutMs, after).catch((cause: unknown) => {
    throw cause instanceof AppError ? cause : new AppError('store_unavailable', { cause });
  });
  if (found === undefined) throw new AppError('store_unavailable');
  return found;
}

/** By both clocks: the first stops while a machine sleeps, and the second can be set. */
export interface Moment {
  readonly elapsed: number;
  readonly now: number;
}

export const never: Moment = { elapsed: Number.NEGATIVE_INFINITY, now: Number.NEGATIVE_INFINITY };

export interface Moments {
  present(): Moment;
  /** Whether what was asked then may still be used while the store does not answer. */
  isRecent(moment: Moment): boolean;
}

export function momentsBy(clock: Clock, { elapsed }: Pick<Timers, 'elapsed'>): Moments {
  return {
    present: () => ({ elapsed: elapsed(), now: clock.now() }),
    isRecent: (moment) => elapsed() - moment.elapsed < memory && Math.abs(clock.now() - moment.now) < memory,
  };
}

/** @returns the same read for all who ask for it by the same key while it runs */
export function readTogether<Key extends readonly number[]>(
  read: (...key: Key) => Promise<void>,
): (...key: Key) => Promise<void> {
  let running: { readonly key: Key; readonly ended: Promise<void> } | undefined;
  return async (...key) => {
    if (running === undefined || !key.every((part, index) => Object.is(part, running?.key[index]))) {
      const begun = { key, ended: read(...key) };
      running = begun;
      const forget = () => {
        if (running === begun) running = undefined;
      };
      begun.ended.then(forget, forget);
    }
    await running.ended;
  };
}
