import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { AlertEvent } from '../config/notifications-section.ts';
import { systemClock, wholeSeconds } from '../clock.ts';
import type { About, Alerting, Permission } from './permit.ts';
import type { Tables } from './schema.ts';

/** An alert as the outbox keeps it. */
export interface QueuedAlert extends About {
  readonly event: AlertEvent;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** How often it happened. */
  readonly count: number;
}

/** Runs the work of a change, and puts its alerts in the outbox, in the same transaction. */
export async function withAlerts<T>(
  on: Transaction<Tables>,
  permission: Permission,
  work: (on: Transaction<Tables>, permission: Alerting) => T | Promise<T>,
): Promise<T> {
  const alerts: QueuedAlert[] = [];
  const alert = (event: AlertEvent, { count = 1, ...about }: About & { readonly count?: number }) => {
    alerts.push({ ...permission.actor, ...about, event, at: systemClock.now(), count });
  };
  const result = await work(on, { ...permission, alert });
  for (const queued of alerts) {
    const id = randomUUID();
    await on
      .insertInto('outbox')
      .values({
        delivery_id: id,
        alert_id: id,
        target: null,
        alert: JSON.stringify(queued),
        created_at: wholeSeconds(queued.at),
        due_at: 0,
        attempts: 0,
        lost_at: null,
      })
      .execute();
  }
  return result;
}
