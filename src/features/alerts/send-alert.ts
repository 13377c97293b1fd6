import type { AlertTarget } from '../../config/resolve-notifications.ts';
import type { SentAlert } from './sent-alert.ts';
import { sendMail } from './targets/mail.ts';
import { sendNtfy } from './targets/ntfy.ts';
import { sendWebhook } from './targets/webhook.ts';

/** @param to the mailboxes, of a mail server. @throws DeliveryError */
export async function sendAlert(
  target: AlertTarget,
  to: readonly string[],
  sent: SentAlert,
  now: number,
): Promise<void> {
  switch (target.type) {
    case 'webhook':
      return sendWebhook(target, sent, now);
    case 'ntfy':
      return sendNtfy(target, sent);
    case 'mail':
      return sendMail(target, to, sent);
  }
}
