import { wholeSeconds, type Clock, type Timers } from '../clock.ts';
import { createTrustedClock, type TrustedClock } from './trusted-clock.ts';
import { unconditional, type Reading } from './permit.ts';
import { onceItAnswers } from './slow-store.ts';
import type { Activity, Store } from './store.ts';

/** The clock that everything is made and expires by, kept in the store across restarts and between gates. */
export interface TrustedTime {
  readonly clock: TrustedClock;
  /** Reads the time of other gates and of a reset, and saves this one once a minute. @throws AppError `store_unavailable` */
  keep(): Promise<void>;
  /** Saves the time, as before a stop. @throws AppError `store_unavailable` */
  save(): Promise<void>;
}

export interface TrustedTimeOptions {
  readonly store: Store;
  readonly machine: Pick<Clock, 'now'>;
  readonly elapsed: Timers['elapsed'];
  /** Its latest record is a time that has passed, for a store that an earlier version wrote. */
  readonly activity?: Activity;
}

// Seconds. After a power cut, what ended within it may be valid again.
const minute = 60;

interface Row {
  readonly at: number;
  readonly resets: number;
}

/** @throws AppError `store_unavailable` */
export async function openTrustedTime(options: TrustedTimeOptions): Promise<TrustedTime> {
  const { store, activity } = options;
  const first = await onceItAnswers(() => readTime(store));
  let resets = first?.resets ?? 0;
  let savedAt = first?.at;
  const clock = clockFrom(first?.at ?? (await earlierTime(store, activity)), options);

  const take = (row: Row | undefined) => {
    savedAt = row?.at;
    if (row === undefined) return;
    if (row.resets === resets) clock.learn(row.at * 1_000);
    else clock.reset(row.at * 1_000);
    ({ resets } = row);
  };
  const save = async () => {
    const row = await store.change(unconditional, async (on) => {
      const found = await readTime(on);
      const at = wholeSeconds(clock.latest());
      if (found === undefined) {
        await on.insertInto('trusted_time').values({ at, resets }).execute();
        return { at, resets };
      }
      // After a reset the time of this process is wrong, and it takes the store's.
      if (found.resets !== resets || found.at >= at) return found;
      await on.updateTable('trusted_time').set({ at }).execute();
      return { at, resets };
    });
    take(row);
  };

  return {
    clock,
    keep: async () => {
      take(await readTime(store));
      if (savedAt === undefined || wholeSeconds(clock.latest()) >= savedAt + minute) await save();
    },
    save,
  };
}

/** @returns the clock of a command, which saves nothing. @throws AppError `store_unavailable` */
export async function readTrustedClock(
  store: Store,
  { machine, elapsed }: Pick<TrustedTimeOptions, 'machine' | 'elapsed'>,
): Promise<TrustedClock> {
  return clockFrom((await readTime(store))?.at, { machine, elapsed });
}

/** @returns the later of a time and the one that is saved */
export async function laterOfSaved(on: Reading, now: number): Promise<number> {
  return Math.max(now, ((await readTime(on))?.at ?? 0) * 1_000);
}

/** @param last seconds */
function clockFrom(
  last: number | undefined,
  { machine, elapsed }: Pick<TrustedTimeOptions, 'machine' | 'elapsed'>,
): TrustedClock {
  return createTrustedClock({ machine, elapsed, last: last === undefined ? undefined : last * 1_000 });
}

function readTime(on: Reading): Promise<Row | undefined> {
  return on.selectFrom('trusted_time').select(['at', 'resets']).executeTakeFirst();
}

/** @returns seconds, or `undefined` if no gate ran on this store */
async function earlierTime(store: Store, activity: Activity | undefined): Promise<number | undefined> {
  const pruning = await store.selectFrom('last_pruning').select('at').executeTakeFirst();
  // Without its record, nothing more is known.
  return pruning?.at ?? (activity && newestRecord(activity).catch(() => undefined));
}

/** @returns seconds, or `undefined` if the audit has no record */
export async function newestRecord(activity: Activity): Promise<number | undefined> {
  const { newest } = await activity
    .selectFrom('audit_records')
    .select(({ fn }) => fn.max<number | null>('recorded_at').as('newest'))
    .executeTakeFirstOrThrow();
  return newest === null ? undefined : Math.floor(newest);
}
