import type { Transaction } from 'kysely';
import { wholeSeconds, type Clock } from '../../clock.ts';
import type { Reading } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';

/**
 * What a user has given out besides sessions: each table, and its column with the account. A recovery ends all of it except what is
 * kept by name, and a block suspends it. Anything new that a user can give out belongs here, with its time in `expires_at`.
 */
const givenOut = { shares: 'account', api_tokens: 'username' } as const satisfies Partial<
  Record<keyof Tables, string>
>;

export type GivenOut = keyof typeof givenOut;

export const givenOutKinds = Object.keys(givenOut) as GivenOut[];

/** How many of each kind ended, in the form of responses and audit records. */
export type Ended = { readonly [Kind in GivenOut as `${Kind}_ended`]: number };

/** @returns how many of each kind are still valid. @param on the store, or a transaction of it */
export async function countGivenOut(
  on: Reading,
  username: string,
  clock: Clock,
): Promise<Readonly<Record<GivenOut, number>>> {
  const counts = {} as Record<GivenOut, number>;
  for (const kind of givenOutKinds) {
    const { table, account } = placeOf(kind);
    const { count } = await on
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(account, '=', username)
      .where(({ eb, or }) =>
        or([eb('expires_at', 'is', null), eb('expires_at', '>', wholeSeconds(clock.now()))]),
      )
      .executeTakeFirstOrThrow();
    counts[kind] = count;
  }
  return counts;
}

/** Ends what a user has given out, except what is kept. What an ended API token made ends with it. */
export async function endGivenOut(
  on: Transaction<Tables>,
  username: string,
  keep: readonly GivenOut[],
  clock: Clock,
): Promise<Ended> {
  const before = await countGivenOut(on, username, clock);
  for (const kind of givenOutKinds.filter((one) => !keep.includes(one))) {
    const { table, account } = placeOf(kind);
    await on.deleteFrom(table).where(account, '=', username).execute();
  }
  const after = await countGivenOut(on, username, clock);
  const ended = givenOutKinds.map((kind) => [`${kind}_ended`, before[kind] - after[kind]] as const);
  return Object.fromEntries(ended) as Ended;
}

/** All these tables have the columns used here; the type names one of them. */
function placeOf(kind: GivenOut): { readonly table: 'shares'; readonly account: 'account' } {
  return { table: kind as 'shares', account: givenOut[kind] as 'account' };
}
