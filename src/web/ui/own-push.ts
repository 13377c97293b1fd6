import { isOn } from './page-marks.ts';
import { bodyOf, pushApi } from '../api-client.ts';
import { gatePath } from '../path-prefix.ts';

/** Finds this browser's subscription without waiting for a service worker: a browser that never registered has none. */
export async function ownSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(gatePath('/'));
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** @returns the id by which Postern knows a subscription */
export async function subscriptionId(endpoint: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Registers a subscription. @returns false when the browser gave no keys */
export async function register(made: PushSubscription | undefined): Promise<boolean> {
  const { endpoint, keys } = made?.toJSON() ?? {};
  if (endpoint === undefined || keys?.['p256dh'] === undefined || keys['auth'] === undefined) return false;
  await bodyOf(
    pushApi.index.$post({ json: { endpoint, keys: { p256dh: keys['p256dh'], auth: keys['auth'] } } }),
  );
  return true;
}

/** Pushes end with the session that switched them on: the next session of the user continues them. It never throws. */
export async function renewPushes(): Promise<void> {
  try {
    if (!isOn('push') || !('Notification' in globalThis) || Notification.permission !== 'granted') return;
    const own = await ownSubscription();
    if (own === null) return;
    const { possible, over } = await bodyOf(pushApi.index.$get());
    if (possible && over.includes(await subscriptionId(own.endpoint))) await register(own);
  } catch {
    // The account page shows whether they are on.
  }
}
