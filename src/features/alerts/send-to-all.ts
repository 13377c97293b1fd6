import { randomUUID } from 'node:crypto';
import { systemTimers, withTimeout, type Timers } from '../../clock.ts';
import type { AlertTarget, Notifications } from '../../config/resolve-notifications.ts';
import { messageOf, type AnyAlert, type SentAlert } from './message.ts';
import { asDeliveryError, DeliveryError, type DeliveryFault } from './targets/post.ts';
import { sendMail } from './targets/mail.ts';
import { sendNtfy } from './targets/ntfy.ts';
import { sendWebhook } from './targets/webhook.ts';
import type { Configuration } from '../../config/configuration.ts';

/** Settings that alerts depend on. */
export interface AlertSettings {
  readonly notifications: Notifications;
  /** Name of the house. */
  readonly house: string;
  /** Address of a page below `/postern`; undefined without `public_url`. */
  readonly pageAt: (page: string) => string | undefined;
}

export interface TargetResult {
  readonly type: AlertTarget['type'];
  /** Host of the target: its URL may have secrets. */
  readonly host: string;
  /** Absent when it was sent. */
  readonly fault: string | undefined;
}

/**
 * Adds to an alert the texts and the link that its readers see.
 * @param id the same whenever it is sent again
 * @param isOwn it is sent to the user whose account it is about, and links to the page that ends sessions and tokens
 */
export function sentOf(
  { house, pageAt }: AlertSettings,
  id: string,
  alert: AnyAlert,
  isOwn = false,
): SentAlert {
  return { id, alert, message: messageOf(alert), house, link: pageAt(isOwn ? '/account' : '/'), isOwn };
}

/** Sends an alert to each target once, without the outbox. */
export function sendToAll(settings: AlertSettings, alert: AnyAlert, now: number): Promise<TargetResult[]> {
  const sent = sentOf(settings, randomUUID(), alert);
  return Promise.all(
    settings.notifications.targets.map(async (target) => {
      const failure = await failureOf(sendOnce(target, sent, now));
      return { type: target.type, host: hostOf(target), fault: failure?.message };
    }),
  );
}

/** Sends a test to each target. */
export function sendTest(settings: AlertSettings, user: string, now: number): Promise<TargetResult[]> {
  return sendToAll(settings, testBy(user, now), now);
}

// Milliseconds: a page waits for it.
const testTimeout = 14_000;

/** Sends a test to one target. @returns why it was not delivered; `undefined` when it was */
export async function sendTestTo(
  target: AlertTarget,
  settings: AlertSettings,
  { user, now }: { readonly user: string; readonly now: number },
  timers: Pick<Timers, 'after'> = systemTimers,
): Promise<DeliveryFault | undefined> {
  const sent = sentOf(settings, randomUUID(), testBy(user, now));
  const sending = failureOf(sendOnce(target, sent, now)).then((failure) => ({ fault: failure?.fault }));
  const { fault } = (await withTimeout(sending, testTimeout, timers.after)) ?? { fault: 'no_answer' };
  return fault;
}

function testBy(user: string, now: number): AnyAlert {
  return { event: 'test', at: now, count: 1, user };
}

/** @throws DeliveryError */
async function sendOnce(target: AlertTarget, sent: SentAlert, now: number): Promise<void> {
  if (target.type === 'mail' && target.to.length === 0)
    throw new DeliveryError('it has no recipients in `to`: it sends mail to users only', 'no_recipients');
  await sendAlert(target, sent, now);
}

function failureOf(sending: Promise<void>): Promise<DeliveryError | undefined> {
  return sending.then(() => undefined, asDeliveryError);
}

export function hostOf({ url }: AlertTarget): string {
  return new URL(url).host;
}

/** @throws DeliveryError */
export async function sendAlert(target: AlertTarget, sent: SentAlert, now: number): Promise<void> {
  switch (target.type) {
    case 'webhook':
      return sendWebhook(target, sent, now);
    case 'ntfy':
      return sendNtfy(target, sent);
    case 'mail':
      return sendMail(target, sent);
  }
}

export function alertSettings({
  notifications,
  ui,
  publicUrl,
  basePath,
}: Pick<Configuration, 'notifications' | 'ui' | 'publicUrl' | 'basePath'>): AlertSettings {
  return {
    notifications,
    house: ui.name ?? 'Postern',
    pageAt: (page) => (publicUrl === undefined ? undefined : `${publicUrl}${basePath}/postern${page}`),
  };
}
