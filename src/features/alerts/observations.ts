import { hash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { boundedCache } from '../../bounded-cache.ts';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import { wholeSeconds, type Clock, type Timers } from '../../clock.ts';
import type { AlertEvent } from '../../config/notifications-section.ts';
import { addToWaiting, enqueue, type QueuedAlert } from '../../store/outbox.ts';
import { unconditional, type About } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { isUsed, useOnce } from '../../store/used-once.ts';
import type { Logger } from '../../telemetry/logger.ts';

interface Observation extends About {
  /** Observations with the same key alert once in `forMs`, whichever gate sees them. */
  readonly key: string | (() => Promise<string>);
  readonly forMs: number;
  /** Observations with the same text cause at most one alert an hour. The others wait, and are counted together. */
  readonly atMostHourly?: string;
  readonly count?: number;
}

/** Events that the gate notices without a change of the store. Alerts to them are best effort, and nothing waits for them. */
export interface Observations {
  /** It never throws. */
  observe(event: AlertEvent, observation: Observation): void;
  /** Reads each entry of the audit. */
  note(entry: AuditEntry): void;
  /** Waits for alerts that are being written. */
  close(): Promise<void>;
}

interface ObservationsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Sends without the store. */
  readonly sendNow: (alert: QueuedAlert) => Promise<void>;
}

/** More wait only while the store is slow: they are left out, because alerts are not the record. */
const mostWaiting = 100;

/** More are forgotten, and may be sent again. */
const mostSentAlone = 1_000;

const hour = 3_600_000;

// As long as a share may last, and longer.
const years = 3_650 * 86_400_000;

export function createObservations(options: ObservationsOptions): Observations {
  const { store, clock, timers, logger, sendNow } = options;
  const waiting = new Set<Promise<void>>();
  /** Alerts that were sent without the store, and until when they are not sent again. */
  const sentAlone = boundedCache<string, number>(mostSentAlone);

  /** @returns whether it is the first time, or the last one has expired */
  const isFirst = async (on: Transaction<Tables>, name: string, forMs: number): Promise<boolean> => {
    // It may have expired, and not been removed yet.
    await on
      .deleteFrom('used_once')
      .where('purpose', '=', 'alert')
      .where('key', '=', name)
      .where('expires_at', '<=', wholeSeconds(clock.now()))
      .execute();
    return useOnce(on, 'alert', name, clock.now() + forMs);
  };

  /** Adds to the one alert that is sent when the hour is over; the next hour begins then. */
  const alertLater = async (on: Transaction<Tables>, hourName: string, alert: QueuedAlert) => {
    const ofHour = on.updateTable('used_once').where('purpose', '=', 'alert').where('key', '=', hourName);
    if (await addToWaiting(on, hourName, alert)) return;
    const { expires_at: next } = await ofHour
      .set(({ eb }) => ({ expires_at: eb('expires_at', '+', wholeSeconds(hour)) }))
      .returning('expires_at')
      .executeTakeFirstOrThrow();
    await enqueue(on, alert, { id: hourName, dueAt: (next - wholeSeconds(hour)) * 1_000 });
  };

  const write = async (event: AlertEvent, observation: Observation) => {
    const { key, forMs, atMostHourly, count = 1, ...about } = observation;
    const nameOf = (text: string) => hash('sha256', `${event} ${text}`, 'hex');
    let name = nameOf(typeof key === 'string' ? key : (atMostHourly ?? ''));
    try {
      if (typeof key !== 'string') name = nameOf(await key());
      if (await isUsed(store, 'alert', name, clock.now())) return;
      await store.change(unconditional, async (on, { alert }) => {
        if (!(await isFirst(on, name, forMs))) return;
        const hourName = atMostHourly === undefined ? undefined : nameOf(`hour of ${atMostHourly}`);
        if (hourName === undefined || (await isFirst(on, hourName, hour))) alert(event, { ...about, count });
        else await alertLater(on, hourName, { ...about, event, at: clock.now(), count });
      });
    } catch (error) {
      if ((sentAlone.get(name) ?? 0) > clock.now()) return;
      sentAlone.set(name, clock.now() + forMs);
      logger.warn({ err: error, event }, 'an alert was sent without the store');
      await sendNow({ ...about, event, at: clock.now(), count });
    }
  };

  const observe: Observations['observe'] = (event, observation) => {
    if (waiting.size >= mostWaiting) return;
    const writing = write(event, observation)
      .catch((error: unknown) => logger.warn({ err: error, event }, 'an alert was not sent'))
      .finally(() => waiting.delete(writing));
    waiting.add(writing);
  };

  const failures = createSignInFailures(timers, (count, address) =>
    observe('sign_in_failures', {
      key: 'all',
      forMs: 50_000,
      count,
      ...(address !== undefined && { address }),
    }),
  );

  return {
    observe,
    note: ({ event, address, object, detail }) => {
      if (event === 'login_failed' || event === 'login_limited') failures.note(address);
      if (event === 'share_opened' && object !== undefined)
        observe('share_opened', {
          key: object,
          forMs: years,
          user: String(detail?.['made_by']),
          object: String(detail?.['shows']),
          ...(address !== undefined && { address }),
        });
    },
    close: async () => {
      failures.close();
      await Promise.allSettled(waiting);
    },
  };
}

/** Below this it's probably typos. */
const least = 10;

// Milliseconds. During a long attack, one alert an hour is enough.
const firstWindow = 60_000;
const nextWindow = 3_600_000;

/** Counts refused sign-ins, and reports a burst once, when its window is over. */
export function createSignInFailures(
  timers: Timers,
  /** The address is undefined if there were several. */
  onBurst: (count: number, address: string | undefined) => void,
) {
  let count = 0;
  let address: string | undefined;
  let isOneAddress = true;
  let window = firstWindow;
  let cancel: (() => void) | undefined;

  const report = () => {
    cancel = undefined;
    if (count >= least) onBurst(count, isOneAddress ? address : undefined);
    window = count >= least ? nextWindow : firstWindow;
    const goesOn = window === nextWindow;
    count = 0;
    // Counts on at once, so that an hour without a burst ends the long windows.
    if (goesOn) cancel = timers.after(window, report);
  };

  return {
    note: (from: string | undefined) => {
      isOneAddress = count === 0 || (isOneAddress && from === address);
      address = from;
      count += 1;
      cancel ??= timers.after(window, report);
    },
    close: () => cancel?.(),
  };
}
