import { sql } from 'kysely';
import { wholeSeconds, type Clock } from '../clock.ts';
import type { Logger } from '../telemetry/logger.ts';
import { unconditional } from './permit.ts';
import type { Activity, Store } from './store.ts';
import { newestRecord } from './trusted-time.ts';

/**
 * Whether rows may be deleted because of their age. A clock that is wrong, as after a start without a battery and a network, would
 * delete everything: a deletion that looks like that waits until the process has run for a day. Expiry waits for nothing: see
 * `TrustedClock`.
 */
export interface ClockTrust {
  /** Compares the clock with the last pruning, and remembers it. @returns whether it is trusted */
  check(): Promise<boolean>;
  /** The result of the last check; false before the first. */
  isTrusted(): boolean;
  /** @returns whether that many rows of all may be deleted now: most of them only after a day */
  mayDelete(what: string, over: number, all: number): boolean;
}

export interface ClockTrustOptions {
  readonly store: Store;
  readonly activity: Activity;
  readonly clock: Clock;
  /** Milliseconds, monotonic. */
  readonly elapsed: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}

const day = 86_400_000;

export function createClockTrust(options: ClockTrustOptions): ClockTrust {
  const { store, activity, clock, elapsed, logger } = options;
  /** When a wait began, by what waits. */
  const waiting = new Map<string, number>();
  let isTrusted = false;

  const hasWaited = (what: string, warn: () => void): boolean => {
    const since = waiting.get(what);
    if (since === undefined) {
      waiting.set(what, elapsed());
      warn();
    }
    return since !== undefined && elapsed() - since >= day;
  };

  /** @returns seconds, or undefined if the gate has never run */
  const lastTrusted = async (): Promise<number | undefined> => {
    const row = await store.selectFrom('last_pruning').select('at').executeTakeFirst();
    // A program before 2.0 remembered none.
    return row === undefined ? newestRecord(activity) : row.at;
  };

  const remember = (now: number) =>
    store.change(unconditional, async (on) => {
      const { numUpdatedRows } = await on
        .updateTable('last_pruning')
        .set({ at: sql<number>`CASE WHEN at > ${now} THEN at ELSE ${now} END` })
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) await on.insertInto('last_pruning').values({ at: now }).execute();
    });

  return {
    check: async () => {
      isTrusted = false;
      if (clock.isBehind?.() === true) return false;
      const now = wholeSeconds(clock.now());
      const last = await lastTrusted();
      const ahead = last === undefined ? 0 : (now - last) * 1_000;
      if (ahead <= day) waiting.delete('clock');
      else if (
        !hasWaited('clock', () =>
          logger.warn(
            { days: Math.floor(ahead / day) },
            'the clock is more than a day ahead of the last time Postern ran: Postern deletes nothing by age for a day, because the clock may be wrong',
          ),
        )
      )
        return false;
      await remember(now);
      isTrusted = true;
      return true;
    },
    isTrusted: () => isTrusted,
    mayDelete: (what, over, all) => {
      if (over * 2 > all)
        return hasWaited(what, () =>
          logger.warn(
            { over, all },
            `most ${what} are older than they are kept: Postern deletes them in a day, because the clock may be wrong`,
          ),
        );
      waiting.delete(what);
      return true;
    },
  };
}
