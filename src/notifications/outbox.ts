import type { Selectable, Transaction } from 'kysely';
import { wholeSeconds, type Clock } from '../clock.ts';
import { unconditional } from '../store/permit.ts';
import type { QueuedAlert } from '../store/outbox.ts';
import type { Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

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
  /** Takes deliveries that are due: no one else tries them for a minute. @param busy targets to leave out */
  take(most: number, busy: readonly string[]): Promise<Delivery[]>;
  done(id: string): Promise<void>;
  /** Tries it again after a pause, or gives it up after a day. @returns whether it is lost */
  failed(delivery: Delivery): Promise<boolean>;
  /** When there is something to do next, in milliseconds since the epoch; undefined: nothing is left. */
  nextDue(): Promise<number | undefined>;
  /** How many were given up in the last week. */
  countLost(): Promise<number>;
  /** Forgets what was given up longer ago. */
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

export function createOutbox(store: Store, clock: Clock): Outbox {
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

    take: async (most, busy) => {
      let found = due(most).where('target', 'is not', null).select('delivery_id');
      if (busy.length > 0) found = found.where('target', 'not in', busy);
      const ids = (await found.execute()).map(({ delivery_id: id }) => id);
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

    failed: async ({ id, attempts, createdAt }) => {
      const pause = Math.min(firstPause * 2 ** (attempts - 1), longestPause);
      const isLost = now() + pause > wholeSeconds(createdAt) + lifetime;
      await store.change(unconditional, (on) =>
        on
          .updateTable('outbox')
          .set(isLost ? { lost_at: now() } : { due_at: now() + pause })
          .where('delivery_id', '=', id)
          .execute(),
      );
      return isLost;
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
      // An empty delete would still clear what all processes remember.
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
