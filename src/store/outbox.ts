import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { AlertEvent } from '../config/notifications-section.ts';
import { systemClock, wholeSeconds } from '../clock.ts';
import type { About, Alerting, Permission } from './permit.ts';
import type { Tables } from './schema.ts';
import { laterOfSaved } from './trusted-time.ts';

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
  const alerts: Array<Omit<QueuedAlert, 'at'>> = [];
  const alert = (event: AlertEvent, { count = 1, ...about }: About & { readonly count?: number }) => {
    alerts.push({ ...permission.actor, ...about, event, count });
  };
  const result = await work(on, { ...permission, alert });
  if (alerts.length === 0) return result;
  // An alert by a clock that is behind would be too old to be sent.
  const at = await laterOfSaved(on, systemClock.now());
  for (const queued of alerts) await enqueue(on, { ...queued, at });
  return result;
}

/** @param waiting `id` names an alert that others are added to until it is sent; `dueAt`: milliseconds since the epoch */
export async function enqueue(
  on: Transaction<Tables>,
  alert: QueuedAlert,
  waiting?: { readonly id: string; readonly dueAt: number },
): Promise<void> {
  const id = randomUUID();
  await on
    .insertInto('outbox')
    .values({
      delivery_id: waiting?.id ?? id,
      alert_id: id,
      target: null,
      alert: JSON.stringify(alert),
      created_at: wholeSeconds(alert.at),
      due_at: waiting === undefined ? 0 : wholeSeconds(waiting.dueAt),
      attempts: 0,
      lost_at: null,
    })
    .execute();
}

/** Adds an alert to one that waits. @returns whether there is such a one */
export async function addToWaiting(
  on: Transaction<Tables>,
  id: string,
  alert: QueuedAlert,
): Promise<boolean> {
  const row = await on.selectFrom('outbox').select('alert').where('delivery_id', '=', id).executeTakeFirst();
  if (row === undefined) return false;
  const { count } = JSON.parse(row.alert) as QueuedAlert;
  const together = JSON.stringify({ ...alert, count: count + alert.count });
  await on.updateTable('outbox').set({ alert: together }).where('delivery_id', '=', id).execute();
  return true;
}
