import webPush from 'web-push';
import { DeliveryError } from '../alerts/targets/reach.ts';
import { send } from '../alerts/targets/post.ts';
import type { PushKeys } from './push-keys.ts';

interface PushTarget {
  readonly endpoint: string;
  /** Of the browser, base64url. */
  readonly publicKey: string;
  readonly auth: string;
}

interface PushOptions {
  readonly keys: PushKeys;
  /** A contact for the push service: an https address, or `mailto:`. */
  readonly subject: string;
  /** The endpoint may be at a private address. */
  readonly mayBePrivate: boolean;
}

/** Seconds that a push service keeps it for a device that is off: later it is no news. */
const lifetime = 3_600;

/**
 * Encrypts a text for a browser (RFC 8291) and hands it to its push service (RFC 8030).
 * @returns `gone` if the push service does not have the subscription anymore
 * @throws DeliveryError
 */
export async function sendPush(
  { endpoint, publicKey, auth }: PushTarget,
  text: string,
  { keys, subject, mayBePrivate }: PushOptions,
): Promise<'sent' | 'gone'> {
  const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh: publicKey, auth } }, text, {
    vapidDetails: { subject, publicKey: keys.publicKey, privateKey: keys.privateKey },
    TTL: lifetime,
    urgency: 'high',
    contentEncoding: 'aes128gcm',
  });
  const status = await send({ url: endpoint, headers: details.headers, body: details.body }, mayBePrivate);
  if (status === 404 || status === 410) return 'gone';
  if (status < 200 || status > 299) throw new DeliveryError(`the push service answered ${status}`);
  return 'sent';
}
