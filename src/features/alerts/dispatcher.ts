import { hash } from 'node:crypto';
import { withTimeout, type Clock, type Timers } from '../../clock.ts';
import type { AlertEvent } from '../../config/notifications-section.ts';
import type { AlertTarget, MailTarget } from '../../config/resolve-notifications.ts';
import type { QueuedAlert } from '../../store/outbox.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Delivery, Outbox } from './outbox.ts';
import { createPauses } from './pauses.ts';
import { sendAlert, hostOf, sendToAll, sentOf, type AlertSettings } from './send-to-all.ts';
import { reasonOf, DeliveryError } from './targets/post.ts';

type Whose = { readonly username: string } | { readonly userId: string };

/** The mail address of an account. */
interface Mailbox {
  readonly userId: string;
  readonly email: string;
}

export interface DispatcherOptions {
  readonly outbox: Outbox;
  /** Changes with every write to the store. */
  readonly storeVersion: () => number;
  readonly settings: () => AlertSettings;
  /** Current mailbox for alerts of an account; `undefined` if there is none. */
  readonly mailboxOf: (whose: Whose) => Promise<Mailbox | undefined>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** Sends the alerts of the outbox. */
export interface Dispatcher {
  /** Looks into the outbox from now on. */
  start(): void;
  /** Sends an alert to all targets once, while the store is away. */
  sendNow(alert: QueuedAlert): Promise<void>;
  close(): Promise<void>;
}

/** Alerts of a user's own account, which the user gets by mail too. */
const ownEvents: ReadonlySet<AlertEvent> = new Set([
  'new_device',
  'admin_made',
  'password_changed',
  'factor_added',
  'factor_removed',
  'token_made',
  'display_paired',
  'display_copied',
  'share_made',
  'share_opened',
]);

// Milliseconds.
const interval = 1_000;
/** Less than another process waits before it tries the same. */
const sendTimeout = 45_000;
const closeTimeout = 1_000;
const mostTogether = 4;
/** Mails to users at once, which all go through one server. */
const mostMails = 8;
/** A target that fails rests for so long at first, and at most; new alerts wait with it. */
const firstPause = 10_000;
const longestPause = 300_000;
/** An id follows: until the mail is sent, someone else may have the name. */
const accountPrefix = 'user:';
/** The previous mail address of an account follows. */
const formerPrefix = 'former:';

/**
 * The names of targets in the store: the same after a restart, with another password, or when others are added. Of several with the
 * same address, each has its own.
 */
function byKey(targets: readonly AlertTarget[]): ReadonlyMap<string, AlertTarget> {
  const found = new Map<string, AlertTarget>();
  for (const target of targets) {
    const { protocol, host, pathname, search } = new URL(target.url);
    const name = hash('sha256', `${target.type} ${protocol}//${host}${pathname}${search}`, 'hex').slice(
      0,
      32,
    );
    let key = name;
    for (let i = 2; found.has(key); i += 1) key = `${name} ${i}`;
    found.set(key, target);
  }
  return found;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { outbox, storeVersion, settings, mailboxOf, clock, timers, logger } = options;
  /** Number of deliveries under way, by target. */
  const underWay = new Map<string, number>();
  const countOf = (target: string) => underWay.get(target) ?? 0;
  const pauses = createPauses({ elapsed: timers.elapsed, first: firstPause, longest: longestPause });
  const running = new Set<Promise<void>>();
  let knownVersion = Number.NaN;
  let nextDue: number | undefined;
  let isClosed = false;

  const targetsOf = async (alert: QueuedAlert) => {
    const { targets, events } = settings().notifications;
    if (!events.has(alert.event)) return [];
    const named = [...byKey(targets)].flatMap(([key, target]) =>
      target.type === 'mail' && target.to.length === 0 ? [] : [key],
    );
    const { user, object } = alert;
    if (alert.event === 'email_changed')
      return object === undefined ? named : [...named, formerPrefix + object];
    const isOwn = user !== undefined && ownEvents.has(alert.event) && mailServerOf(targets) !== undefined;
    const mailbox = isOwn ? await mailboxOf({ username: user }) : undefined;
    return mailbox === undefined ? named : [...named, accountPrefix + mailbox.userId];
  };

  const deliver = async ({ target, alert, alertId }: Delivery) => {
    const found = settings();
    const { targets } = found.notifications;
    const isFormer = target.startsWith(formerPrefix);
    const isOwn = isMailbox(target);
    const sent = sentOf(found, alertId, alert, isOwn);
    if (isOwn) {
      const email = isFormer
        ? target.slice(formerPrefix.length)
        : (await mailboxOf({ userId: target.slice(accountPrefix.length) }))?.email;
      const server = mailServerOf(targets);
      if (email !== undefined && server !== undefined)
        await sendAlert({ ...server, to: [email] }, sent, clock.now());
      return;
    }
    const named = byKey(targets).get(target);
    if (named !== undefined) await sendAlert(named, sent, clock.now());
  };

  const send = async (delivery: Delivery) => {
    const { alert, alertId, target, attempts } = delivery;
    const of = { event: alert.event, alert: alertId, attempt: attempts };
    try {
      const isSent = await withTimeout(
        deliver(delivery).then(() => true),
        sendTimeout,
        timers.after,
      );
      if (isSent === undefined) throw new DeliveryError('it did not answer in time', 'no_answer');
    } catch (error) {
      pauses.failed(target);
      const where = { target: nameOf(target), reason: reasonOf(error) };
      const count = await outbox.failed(delivery);
      if (count === 0) logger.warn({ ...of, ...where }, 'an alert was not sent; it is tried again');
      else logger.error({ ...where, count }, 'alerts could not be sent for a day, and were given up');
      return;
    }
    pauses.succeeded(target);
    await outbox.done(delivery.id);
    logger.debug({ ...of, target: nameOf(target) }, 'alert sent');
  };
  const nameOf = (key: string) => {
    if (key.startsWith(accountPrefix)) return 'the address of the account';
    if (key.startsWith(formerPrefix)) return 'the former address';
    const found = byKey(settings().notifications.targets).get(key);
    return found && hostOf(found);
  };

  const start = (delivery: Delivery) => {
    const { target } = delivery;
    underWay.set(target, countOf(target) + 1);
    const sending = send(delivery)
      .catch((error: unknown) => logger.warn({ err: error }, 'the state of an alert was not written'))
      .finally(() => {
        const left = countOf(target) - 1;
        if (left === 0) underWay.delete(target);
        else underWay.set(target, left);
        running.delete(sending);
        knownVersion = Number.NaN;
      });
    running.add(sending);
  };

  const work = async () => {
    const version = storeVersion();
    if (version === knownVersion && (nextDue === undefined || clock.now() < nextDue)) return;
    await outbox.distribute(targetsOf);
    const mails = [...underWay].filter(([target]) => isMailbox(target));
    let roomForMails = mostMails - mails.reduce((sum, [, count]) => sum + count, 0);
    const mostOf = (target: string) => {
      if (pauses.has(target)) return 0;
      const count = countOf(target);
      if (!isMailbox(target)) return mostTogether - count;
      return count === 0 && roomForMails-- > 0 ? 1 : 0;
    };
    for (const delivery of await outbox.take(mostOf)) start(delivery);
    nextDue = await outbox.nextDue();
    knownVersion = version;
  };

  let cancel = () => {};
  let turn: Promise<void> = Promise.resolve();
  const round = () => {
    turn = work()
      .catch(() => {
        // The store complains about itself; it is asked again at the next turn.
        knownVersion = Number.NaN;
      })
      .finally(() => {
        if (!isClosed) cancel = timers.after(interval, round);
      });
  };

  return {
    start: round,
    sendNow: async (alert) => {
      const found = settings();
      if (found.notifications.events.has(alert.event)) await sendToAll(found, alert, clock.now());
    },
    close: async () => {
      isClosed = true;
      cancel();
      await turn;
      // Deliveries without an answer by then are sent again after the next start.
      await withTimeout(Promise.allSettled(running), closeTimeout, timers.after);
    },
  };
}

function isMailbox(target: string): boolean {
  return target.startsWith(accountPrefix) || target.startsWith(formerPrefix);
}

/** The server that sends mail to users: the first one. */
function mailServerOf(targets: readonly AlertTarget[]): MailTarget | undefined {
  return targets.find((target) => target.type === 'mail');
}
