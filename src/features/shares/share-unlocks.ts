import type { Selectable } from 'kysely';
import { boundedCache } from '../../bounded-cache.ts';
import { addressKey } from '../../accounts/limits/failure-limit.ts';
import { wholeSeconds, type Clock } from '../../clock.ts';
import type { ActivityTables } from '../../store/activity-schema.ts';
import { createRowWriter } from '../../store/row-writer.ts';
import type { Activity } from '../../store/store.ts';

/** Number of times that a share was opened, with the last time and address. */
export interface ShareUnlock {
  readonly count: number;
  /** Milliseconds since the epoch, of whole seconds. */
  readonly lastAt: number;
  /** Address of the client; absent when unknown. */
  readonly address: string | undefined;
}

/** Counts how often each share was opened, for lists: no decision depends on it, and none waits for it. */
export interface ShareUnlocks {
  /** @returns whether this is the first time in a minute from this address */
  note(shareId: string, address: string): boolean;
  /** @returns unlocks by share id, including those not written yet */
  list(): Promise<ReadonlyMap<string, ShareUnlock>>;
  /** Deletes the unlocks of all other shares. */
  prune(shareIds: ReadonlySet<string>): Promise<void>;
  /** Writes pending uses and stops. */
  close(): Promise<void>;
}

export interface ShareUnlocksOptions {
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

const mostRemembered = 10_000;
// Milliseconds.
const leastInterval = 60_000;
const writeInterval = 5_000;

export function createShareUnlocks(
  activity: Activity,
  { clock, onError }: ShareUnlocksOptions,
): ShareUnlocks {
  const recent = boundedCache<string, number>(mostRemembered);
  const unlocks = createRowWriter<'share_id', Selectable<ActivityTables['share_openings']>>({
    activity,
    table: 'share_openings',
    key: 'share_id',
    columns: { openings: 'sum', last_opened_at: 'later', address: 'later' },
    interval: writeInterval,
    batch: 500,
    most: mostRemembered,
    onError,
  });

  /** Shares are bounded in number, addresses are not. */
  const isFirstInAWhile = (key: string, now: number): boolean => {
    const before = recent.get(key);
    if (before !== undefined && now >= before && now - before < leastInterval) return false;
    recent.set(key, now);
    return true;
  };

  return {
    note: (shareId, address) => {
      const now = clock.now();
      const lastOpenedAt = wholeSeconds(now);
      unlocks.put({
        share_id: shareId,
        openings: 1,
        last_opened_at: lastOpenedAt,
        address: address || null,
      });
      return isFirstInAWhile(`${shareId} ${addressKey(address)}`, now);
    },
    list: async () =>
      new Map(
        (await unlocks.list()).map((row) => [
          row.share_id,
          {
            count: row.openings,
            lastAt: row.last_opened_at * 1000,
            address: row.address ?? undefined,
          },
        ]),
      ),
    prune: unlocks.keep,
    close: unlocks.close,
  };
}
