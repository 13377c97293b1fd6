import type { Transaction } from 'kysely';
import { wholeSeconds, type Clock } from '../../clock.ts';
import type { Alerting, Reading } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';

/**
 * Things that a user has given out besides sessions: each table, and its column with the account. A recovery ends all of them except what is
 * kept by name, and a block suspends it. Anything new that a user can give out belongs here, with its time in `expires_at`.
 */
const givenOut = {
  shares: { table: 'shares', account: 'account' },
  api_tokens: { table: 'api_tokens', account: 'username', only: 'token' },
  displays: { table: 'api_tokens', account: 'username', only: 'display' },
} as const satisfies Record<string, Place>;

interface Place {
  readonly table: keyof Tables;
  readonly account: string;
  /** The only rows, by `kind`. */
  readonly only?: string;
}

export type GivenOut = keyof typeof givenOut;

export const givenOutKinds = Object.keys(givenOut) as GivenOut[];

/** Number of each kind that ended, in the form of responses and audit records. */
export type Ended = {
  readonly [Kind in GivenOut | 'invitations' | 'alert_addresses' as `${Kind}_ended`]: number;
};

/** @returns how many of each kind are still valid. @param on the store, or a transaction of it */
export async function countGivenOut(
  on: Reading,
  username: string,
  clock: Clock,
): Promise<Readonly<Record<GivenOut, number>>> {
  const counts = {} as Record<GivenOut, number>;
  for (const kind of givenOutKinds) {
    const { table, account, only } = placeOf(kind);
    const all = on
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(account, '=', username);
    const { count } = await (only === undefined ? all : all.where('kind', '=', only))
      .where(({ eb, or }) =>
        or([eb('expires_at', 'is', null), eb('expires_at', '>', wholeSeconds(clock.now()))]),
      )
      .executeTakeFirstOrThrow();
    counts[kind] = count;
  }
  return counts;
}

export interface RecoveryChange {
  /** Kinds that do not end. */
  readonly keep?: readonly GivenOut[] | undefined;
  readonly alert: Alerting['alert'];
  readonly clock: Clock;
}

/** Ends everything that a user has given out, except what is kept. Whatever an ended API token made ends with it. */
export async function endGivenOut(
  on: Transaction<Tables>,
  username: string,
  { keep = [], alert, clock }: RecoveryChange,
): Promise<Ended> {
  const before = await countGivenOut(on, username, clock);
  for (const kind of givenOutKinds.filter((one) => !keep.includes(one))) {
    const { table, account, only } = placeOf(kind);
    const all = on.deleteFrom(table).where(account, '=', username);
    await (only === undefined ? all : all.where('kind', '=', only)).execute();
  }
  const after = await countGivenOut(on, username, clock);
  const ended = givenOutKinds.map((kind) => [`${kind}_ended`, before[kind] - after[kind]] as const);
  const invitations = await endInvitations(on, username, clock);
  // An account that keeps everything is not taken back.
  const keepsAll = givenOutKinds.every((kind) => keep.includes(kind));
  const addresses = keepsAll ? 0 : await endAlertAddress(on, username, alert);
  return {
    ...Object.fromEntries(ended),
    invitations_ended: invitations,
    alert_addresses_ended: addresses,
  } as Ended;
}

/** A thief may have set it. It gets one last mail, in case it is the owner's. */
async function endAlertAddress(
  on: Transaction<Tables>,
  username: string,
  alert: Alerting['alert'],
): Promise<number> {
  const row = await on
    .selectFrom('users')
    .select(['email', 'issuer'])
    .where('username', '=', username)
    .executeTakeFirst();
  // The provider gives it with each sign-in.
  if (row === undefined || row.email === null || row.issuer !== null) return 0;
  await on.updateTable('users').set({ email: null }).where('username', '=', username).execute();
  alert('email_changed', { user: username, object: row.email });
  return 1;
}

/**
 * No one keeps these, and an admin who is removed or gets another role has none when the account is back. They expire, and pruning
 * removes them with the roles made for them.
 */
export async function endInvitations(
  on: Transaction<Tables>,
  username: string,
  clock: Clock,
): Promise<number> {
  const now = wholeSeconds(clock.now());
  const { numUpdatedRows } = await on
    .updateTable('invitations')
    .set({ expires_at: now })
    .where('made_by', '=', username)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** All these tables have the columns used here; the type names one of them. */
function placeOf(kind: GivenOut): {
  readonly table: 'api_tokens';
  readonly account: 'username';
  readonly only?: 'token' | 'display';
} {
  return givenOut[kind] as ReturnType<typeof placeOf>;
}
