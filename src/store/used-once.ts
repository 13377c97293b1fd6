import type { Transaction } from 'kysely';
import type { Reading } from './permit.ts';
import { wholeSeconds } from '../clock.ts';
import type { Tables } from './schema.ts';

/**
 * Marks a value as used, in the transaction that uses it: of several processes that try at once, one succeeds.
 * @param key at most 255 characters
 * @param expiresAt when the value expires, in milliseconds since the epoch
 * @returns whether it had not been used before
 */
export async function useOnce(
  on: Transaction<Tables>,
  purpose: string,
  key: string,
  expiresAt: number,
): Promise<boolean> {
  const result = await on
    .insertInto('used_once')
    .values({ purpose, key, expires_at: wholeSeconds(expiresAt) + 1 })
    .onConflict((conflict) => conflict.columns(['purpose', 'key']).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Whether a value was used, before anything is written for it. @param now milliseconds since the epoch */
export async function isUsed(on: Reading, purpose: string, key: string, now: number): Promise<boolean> {
  const found = await on
    .selectFrom('used_once')
    .select('expires_at')
    .where('purpose', '=', purpose)
    .where('key', '=', key)
    .where('expires_at', '>', wholeSeconds(now))
    .executeTakeFirst();
  return found !== undefined;
}
