import type { Configuration } from '../config/configuration.ts';
import type { Activity, Store } from '../store/store.ts';
import type { Logger } from '../telemetry/logger.ts';

/** Files that were gone at this start, although the gate has run before. */
export interface Losses {
  /** Seconds since the epoch: the last sign-in to the accounts that are gone. */
  accounts?: number;
  /** The JWT secret. */
  secret?: true;
}

interface LossesOptions {
  readonly configuration: Pick<Configuration, 'auth'>;
  /** This start made the JWT secret. */
  readonly isNewSecret: boolean;
}

/**
 * Compares a start that looks like a first one with the activity, which has sign-ins if it is none. Call it before the first account is
 * made. Commands and `adopt` may add users before a first start, but nobody signs in.
 * @param losses get what was lost
 */
export async function noteLosses(
  { store, activity, logger, losses }: Foundation,
  { configuration: { auth }, isNewSecret }: LossesOptions,
): Promise<void> {
  const hasNoAccounts =
    auth.enabled &&
    (await store.selectFrom('users').select('username').limit(1).executeTakeFirst()) === undefined;
  if (!hasNoAccounts && !isNewSecret) return;
  const last = await lastSignIn(activity);
  if (last === undefined) return;
  const at = { lastSignIn: new Date(last * 1_000).toISOString() };
  if (hasNoAccounts) {
    losses.accounts = last;
    logger.error(
      { event: 'accounts_lost', ...at },
      'postern.db has no accounts, but activity.db has sign-ins: accounts, API tokens, screens and shares are gone; stop Postern and restore a backup to get them back',
    );
  }
  if (isNewSecret) {
    losses.secret = true;
    logger.warn(
      { event: 'jwt_secret_lost', ...at },
      '.jwt_secret was gone, and Postern made another: everybody and every screen is signed out; put the previous file back from a backup, and they are signed in again',
    );
  }
}

interface Foundation {
  readonly store: Store;
  readonly activity: Activity;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  readonly losses: Losses;
}

/** @returns seconds since the epoch; undefined when nobody ever signed in, or the activity cannot be read */
async function lastSignIn(activity: Activity): Promise<number | undefined> {
  const found = await activity
    .selectFrom('audit_records')
    .select('recorded_at')
    .where('event', '=', 'login')
    .orderBy('recorded_at', 'desc')
    .limit(1)
    .executeTakeFirst()
    .catch(() => undefined);
  return found?.recorded_at;
}
