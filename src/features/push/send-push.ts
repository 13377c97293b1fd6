import webPush from 'web-push';
import { boundedCache } from '../../bounded-cache.ts';
import type { Clock } from '../../clock.ts';
import { DeliveryError, send } from '../alerts/targets/post.ts';
import { plainText } from '../../audit/audit-entry.ts';
import { labelName } from '../../language/label-names.ts';
import type { Language } from '../../language/language.ts';
import { texts } from '../../language/texts.ts';
import type { Review } from '../../policy/recorder/review.ts';
import { unconditional } from '../../store/permit.ts';
import type { Store } from '../../store/store.ts';

/** The text that a browser shows, without a picture. @param cameraName the camera's name at the recorder */
export function pushText(review: Review, cameraName: string | undefined, language: Language): string {
  const labels = review.labels
    .map((label) => labelName(texts[language], label) ?? label.replaceAll('_', ' '))
    .join(', ');
  const words = labels || texts[language].notifications.push.something;
  return JSON.stringify({
    title: plainText(cameraName ?? review.camera.replaceAll('_', ' '), 80),
    body: plainText(words.charAt(0).toUpperCase() + words.slice(1), 140),
    // The browser adds the time in its own time zone.
    at: Math.round(review.startTime),
    language,
    // The next push of the same review replaces it.
    tag: review.id,
    page: review.event === undefined ? 'explore' : `events/${review.event}`,
  });
}

interface PushTarget {
  readonly endpoint: string;
  /** Key of the browser, base64url. */
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

/** Seconds for which a push service keeps a push for a device that is off: later it is no news. */
const lifetime = 3_600;

/** Milliseconds. */
const reuse = 3_600_000;

/**
 * Encrypts a text for a browser (RFC 8291) and hands it to its push service (RFC 8030).
 * @returns `gone` if the push service does not have the subscription anymore
 * @throws DeliveryError
 */
export type SendPush = (target: PushTarget, text: string, options: PushOptions) => Promise<'sent' | 'gone'>;

export function createPushSender(clock: Clock): SendPush {
  const authorizationOf = createAuthorization(clock);
  return async ({ endpoint, publicKey, auth }, text, { mayBePrivate, ...sender }) => {
    const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh: publicKey, auth } }, text, {
      headers: { Authorization: authorizationOf(new URL(endpoint).origin, sender) },
      TTL: lifetime,
      urgency: 'high',
      contentEncoding: 'aes128gcm',
    });
    const status = await send({ url: endpoint, headers: details.headers, body: details.body }, mayBePrivate);
    if (status === 404 || status === 410) return 'gone';
    if (status < 200 || status > 299)
      throw new DeliveryError(`the push service answered ${status}`, 'refused');
    return 'sent';
  };
}

/**
 * Signs for each push service once an hour, because that takes half as long as encrypting. A signature is valid for twelve hours.
 * @returns the header by which the push service knows the gate (RFC 8292)
 */
function createAuthorization(clock: Clock) {
  const signed = boundedCache<string, { readonly header: string; readonly at: number }>(100);
  return (
    origin: string,
    { keys: { publicKey, privateKey }, subject }: Omit<PushOptions, 'mayBePrivate'>,
  ) => {
    const key = [origin, subject, publicKey].join(' ');
    const known = signed.get(key);
    const age = clock.now() - (known?.at ?? Number.NaN);
    // The clock may have been set back.
    if (known !== undefined && age >= 0 && age < reuse) return known.header;
    const headers = webPush.getVapidHeaders(origin, subject, publicKey, privateKey, 'aes128gcm');
    signed.set(key, { header: headers.Authorization, at: clock.now() });
    return headers.Authorization;
  };
}

/** The keys by which push services recognize the gate (VAPID, RFC 8292), base64url. */
export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

interface Sealed {
  seal(purpose: string, text: string, about: string): Promise<string>;
  open(purpose: string, sealed: string, about: string): Promise<string | undefined>;
}

const purpose = 'push key';

/** @returns the keys of this gate, made at the first use; another key would end every subscription */
export async function readPushKeys(store: Store, sealing: Sealed): Promise<PushKeys> {
  const find = () => store.selectFrom('push_keys').selectAll().executeTakeFirst();
  let row = await find();
  if (row === undefined) {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    const made = { public_key: publicKey, private_key: await sealing.seal(purpose, privateKey, publicKey) };
    row = await store.change(unconditional, async (on) => {
      // Another process may have been faster.
      const found = await on.selectFrom('push_keys').selectAll().executeTakeFirst();
      if (found !== undefined) return found;
      await on.insertInto('push_keys').values(made).execute();
      return made;
    });
  }
  const privateKey = await sealing.open(purpose, row.private_key, row.public_key);
  if (privateKey !== undefined) return { publicKey: row.public_key, privateKey };
  // The key was sealed with another one: no one can send with it anymore.
  await store.change(unconditional, async (on) => {
    await on.deleteFrom('push_keys').execute();
    await on.deleteFrom('push_subscriptions').execute();
  });
  return readPushKeys(store, sealing);
}
