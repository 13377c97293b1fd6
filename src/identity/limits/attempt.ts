import { AppError } from '../../errors.ts';
import type { FailureLimit } from './failure-limit.ts';

/** Takes a place under a limit. @throws AppError `too_many_requests` */
export type TakePlace = (limit: FailureLimit, key: string) => Promise<void>;

/**
 * Looks at something that may be a guess. Places are taken before the look, so that parallel guesses cannot share one, and given
 * back unless it was a failure.
 * @throws what the look throws: it was a failure when `isFailure` says so
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
