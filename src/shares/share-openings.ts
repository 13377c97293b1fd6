import { addressKey } from '../accounts/failure-limit.ts';
import { wholeSeconds, type Clock } from '../clock.ts';
import type { Activity } from '../store/store.ts';
import { createWriteBehind } from '../store/write-behind.ts';

/** How often a share was opened, and when and from where last. */
export interface ShareOpening {
  readonly openings: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
  /** Of the client; undefined when nobody said. */
  readonly address: string | undefined;
}

/** How often each share was opened, to look at: no decision depends on it, and none waits for it. */
export interface ShareOpenings {
  /** @returns whether nobody opened it from this address within the last minute */
  note(shareId: string, address: string): boolean;
  /** @returns by id of the share; those that this process has not written yet included */
  list(): Promise<ReadonlyMap<string, ShareOpening>>;
  /** Forgets the openings of shares that there are not any more. */
  prune(shareIds: ReadonlySet<string>): Promise<void>;
  /** Writes what is pending and stops. */
  close(): Promise<void>;
}

export interface ShareOpeningsOptions {
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

const mostRemembered = 10_000;
// Milliseconds.
const leastInterval = 60_000;
const writeInterval = 5_000;

export function createShareOpenings(
  activity: Activity,
  { clock, onError }: ShareOpeningsOptions,
): ShareOpenings {
  // What was opened since it was written last.
  const unwritten = new Map<string, ShareOpening>();
  const recent = new Map<string, number>();
  const add = (shareId: string, { openings, lastAt, address }: ShareOpening) => {
    const before = unwritten.get(shareId);
    unwritten.set(shareId, { openings: openings + (before?.openings ?? 0), lastAt, address });
  };
  const behind = createWriteBehind<{ readonly shareId: string }>({
    write: async (noted) => {
      const taken = noted.flatMap(({ shareId }) => {
        const opening = unwritten.get(shareId);
        unwritten.delete(shareId);
        return opening === undefined ? [] : [{ shareId, ...opening }];
      });
      try {
        await write(activity, taken);
      } catch (error) {
        for (const { shareId, ...opening } of taken) {
          const later = unwritten.get(shareId);
          unwritten.delete(shareId);
          add(shareId, opening);
          if (later !== undefined) add(shareId, later);
        }
        throw error;
      }
    },
    interval: writeInterval,
    batch: 500,
    most: mostRemembered,
    onError,
    onDrop: ({ shareId }) => unwritten.delete(shareId),
  });

  /** What a flood comes from is a bounded number of shares, and any number of addresses. */
  const isFirstInAWhile = (key: string, now: number): boolean => {
    const before = recent.get(key);
    if (before !== undefined && now >= before && now - before < leastInterval) return false;
    recent.delete(key);
    recent.set(key, now);
    const oldest = recent.size > mostRemembered ? recent.keys().next().value : undefined;
    if (oldest !== undefined) recent.delete(oldest);
    return true;
  };

  return {
    note: (shareId, address) => {
      const now = clock.now();
      add(shareId, { openings: 1, lastAt: now, address: address || undefined });
      behind.put({ shareId }, shareId);
      return isFirstInAWhile(`${shareId} ${addressKey(address)}`, now);
    },

    list: async () => {
      const rows = await activity.selectFrom('share_openings').selectAll().execute();
      const openings = new Map<string, ShareOpening>(
        rows.map((row) => [
          row.share_id,
          {
            openings: row.openings,
            lastAt: row.last_opened_at * 1000,
            address: row.address ?? undefined,
          },
        ]),
      );
      for (const [shareId, opening] of unwritten) {
        const written = openings.get(shareId)?.openings ?? 0;
        openings.set(shareId, { ...opening, openings: written + opening.openings });
      }
      return openings;
    },

    prune: async (shareIds) => {
      await behind.flush();
      const rows = await activity.selectFrom('share_openings').select('share_id').execute();
      for (const { share_id: id } of rows)
        if (!shareIds.has(id))
          await activity.deleteFrom('share_openings').where('share_id', '=', id).execute();
    },

    close: behind.close,
  };
}

async function write(
  activity: Activity,
  openings: ReadonlyArray<ShareOpening & { readonly shareId: string }>,
): Promise<void> {
  if (openings.length === 0) return;
  // In one order, so that of two processes one waits for the other, and not each for the other.
  const sorted = openings.toSorted((one, other) => (one.shareId < other.shareId ? -1 : 1));
  await activity
    .insertInto('share_openings')
    .values(
      sorted.map(({ shareId, openings: count, lastAt, address }) => ({
        share_id: shareId,
        openings: count,
        last_opened_at: wholeSeconds(lastAt),
        address: address ?? null,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('share_id').doUpdateSet((eb) => ({
        openings: eb('share_openings.openings', '+', eb.ref('excluded.openings')),
        last_opened_at: eb.ref('excluded.last_opened_at'),
        address: eb.ref('excluded.address'),
      })),
    )
    .execute();
}
