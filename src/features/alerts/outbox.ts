import type { Selectable, Transaction } from 'kysely';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { unconditional } from '../../store/permit.ts';
import type { QueuedAlert } from '../../store/outbox.ts';
import type { Tables } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';

/** One alert for one target. */
export interface Delivery {
  readonly id: string;
  /** The same for all targets. */
  readonly alertId: string;
  readonly target: string;
  readonly alert: QueuedAlert;
  /** Including this one. */
  readonly attempts: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** The alerts that are still to be sent. Several processes may work it off: each delivery is tried by one at a time. */
export interface Outbox {
  /** Replaces each new alert by one delivery for each of its targets. */
  distribute(targetsOf: (alert: QueuedAlert) => Promise<readonly string[]>): Promise<void>;
  /** Takes deliveries that are due: no one else tries them for a minute. @param mostOf how many of a target at most */
  take(mostOf: (target: string) => number): Promise<Delivery[]>;
  done(id: string): Promise<void>;
  /** Tries it again after a pause. Gives up alerts that have waited for their target for a day. @returns how many were given up */
  failed(delivery: Delivery): Promise<number>;
  /** Milliseconds since the epoch, when there is something to do next; `undefined` if nothing is left. */
  nextDue(): Promise<number | undefined>;
  /** Number of alerts that were given up in the last week. */
  countLost(): Promise<number>;
  /** Forgets alerts that were given up longer ago. */
  prune(): Promise<void>;
}

// Seconds.
const lease = 60;
const firstPause = 10;
const longestPause = 3_600;
const lifetime = 86_400;
const lostFor = 7 * 86_400;

/** A sign-in of a thousand devices must not hold the store for long. */
const mostAtOnce = 50;

/** @param isClockRight while it is not, nothing is given up */
export function createOutbox(store: Store, clock: Clock, isClockRight = () => true): Outbox {
  const now = () => wholeSeconds(clock.now());
  const waiting = () => store.selectFrom('outbox').where('lost_at', 'is', null);
  const due = (most: number) => waiting().where('due_at', '<=', now()).orderBy('created_at').limit(most);

  return {
    distribute: async (targetsOf) => {
      const rows = await due(mostAtOnce).where('target', 'is', null).selectAll().execute();
      if (rows.length === 0) return;
      const deliveries: Array<Selectable<Tables['outbox']>> = [];
      for (const row of rows)
        for (const target of await targetsOf(alertOf(row)))
          deliveries.push({ ...row, target, delivery_id: `${row.alert_id} ${target}`, due_at: now() });
      await store.change(unconditional, async (on) => {
        // Another process may have been faster.
        const ids = await deleted(
          on,
          rows.map(({ delivery_id: id }) => id),
        );
        const own = deliveries.filter(({ alert_id: id }) => ids.has(id));
        if (own.length > 0) await on.insertInto('outbox').values(own).execute();
      });
    },

    take: async (mostOf) => {
      const found = await waiting()
        .where('due_at', '<=', now())
        .where('target', 'is not', null)
        .select('target')
        .distinct()
        .execute();
      const ids: string[] = [];
      // Each target has a queue of its own, however much waits for another.
      for (const { target } of found) {
        const most = mostOf(target ?? '');
        if (most <= 0) continue;
        const next = await due(most).where('target', '=', target).select('delivery_id').execute();
        ids.push(...next.map(({ delivery_id: id }) => id));
      }
      if (ids.length === 0) return [];
      const rows = await store.change(unconditional, (on) =>
        on
          .updateTable('outbox')
          .set(({ eb }) => ({ due_at: now() + lease, attempts: eb('attempts', '+', 1) }))
          .where('delivery_id', 'in', ids)
          .where('due_at', '<=', now())
          .returningAll()
          .execute(),
      );
      return rows.map((row) => ({
        id: row.delivery_id,
        alertId: row.alert_id,
        target: row.target ?? '',
        alert: alertOf(row),
        attempts: row.attempts,
        createdAt: row.created_at * 1_000,
      }));
    },

    done: async (id) => {
      await store.change(unconditional, (on) =>
        on.deleteFrom('outbox').where('delivery_id', '=', id).execute(),
      );
    },

    failed: async ({ id, attempts, target, createdAt }) => {
      const pause = Math.min(firstPause * 2 ** (attempts - 1), longestPause);
      if (!isClockRight()) {
        await store.change(unconditional, (on) =>
          on
            .updateTable('outbox')
            .set({ due_at: now() + pause })
            .where('delivery_id', '=', id)
            .execute(),
        );
        return 0;
      }
      const isLost = now() + pause > wholeSeconds(createdAt) + lifetime;
      return store.change(unconditional, async (on) => {
        if (!isLost)
          await on
            .updateTable('outbox')
            .set({ due_at: now() + pause })
            .where('delivery_id', '=', id)
            .execute();
        const { numUpdatedRows } = await on
          .updateTable('outbox')
          .set({ lost_at: now() })
          .where('target', '=', target)
          .where('lost_at', 'is', null)
          .where(({ eb, or }) =>
            or([eb('created_at', '<', now() - lifetime), ...(isLost ? [eb('delivery_id', '=', id)] : [])]),
          )
          .executeTakeFirstOrThrow();
        return Number(numUpdatedRows);
      });
    },

    nextDue: async () => {
      const { next } = await waiting()
        .select(({ fn }) => fn.min<number | null>('due_at').as('next'))
        .executeTakeFirstOrThrow();
      return next === null ? undefined : next * 1_000;
    },

    countLost: async () => {
      const { count } = await store
        .selectFrom('outbox')
        .where('lost_at', '>', now() - lostFor)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },

    prune: async () => {
      const over = await store
        .selectFrom('outbox')
        .select('delivery_id')
        .where('lost_at', '<=', now() - lostFor)
        .execute();
      // An empty delete would still clear the caches of all processes.
      if (over.length > 0)
        await store.change(unconditional, (on) =>
          on
            .deleteFrom('outbox')
            .where('lost_at', '<=', now() - lostFor)
            .execute(),
        );
    },
  };
}

function alertOf({ alert }: Pick<Selectable<Tables['outbox']>, 'alert'>): QueuedAlert {
  return JSON.parse(alert) as QueuedAlert;
}

async function deleted(on: Transaction<Tables>, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await on.deleteFrom('outbox').where('delivery_id', 'in', ids).returning('alert_id').execute();
  return new Set(rows.map(({ alert_id: id }) => id));
}
