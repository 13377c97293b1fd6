import { AppError } from '../../errors.ts';
import type { FailureLimit } from './failure-limit.ts';

/** Takes a place under a limit. @throws AppError `too_many_requests` */
export type TakePlace = (limit: FailureLimit, key: string) => Promise<void>;

/**
 * Runs a check that may be a guess. Places are taken before the check, so parallel guesses cannot share one, and are given back
 * unless it failed.
 * @throws what the check throws; it counts as a failure if `isFailure` returns true
 */
export async function attempt<T>(
  isFailure: (error: unknown) => boolean,
  look: (take: TakePlace) => Promise<T>,
): Promise<T> {
  const taken: Array<{ giveBack(): Promise<void> }> = [];
  let isLimited = false;
  const giveBack = async () => {
    for (const place of taken.splice(0)) await place.giveBack();
  };
  const take: TakePlace = async (limit, key) => {
    const place = await limit.reserve(key);
    if ('giveBack' in place) return void taken.push(place);
    isLimited = true;
    throw new AppError('too_many_requests', { retryAfterSeconds: place.retryAfterSeconds });
  };
  try {
    const seen = await look(take);
    await giveBack();
    return seen;
  } catch (error) {
    if (isLimited || !isFailure(error)) await giveBack();
    throw error;
  }
}
