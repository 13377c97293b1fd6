import { createHmac } from 'node:crypto';
import type { WebhookTarget } from '../../../config/resolve-notifications.ts';
import { wholeSeconds } from '../../../clock.ts';
import type { SentAlert } from '../message.ts';
import { post } from './post.ts';

/** Posts an alert as JSON, signed with the target's secret (docs/notifications.md). @throws DeliveryError */
export async function sendWebhook(
  { url, secret, mayBePrivate }: WebhookTarget,
  { id, alert: { event, at, user, by, address, count }, message: { text: message } }: SentAlert,
  now: number,
): Promise<void> {
  const time = new Date(at).toISOString();
  const body = JSON.stringify({ id, event, time, user, by, address, message, count });
  const timestamp = String(wholeSeconds(now));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-postern-timestamp': timestamp,
    'x-postern-signature': `sha256=${signature}`,
  };
  await post({ url, headers, body }, mayBePrivate);
}
