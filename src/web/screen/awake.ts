import { isFramed } from './ask.ts';

interface Sentinel {
  addEventListener(name: 'release', listener: () => void): void;
}
type WakeLock = { readonly wakeLock?: { request(kind: 'screen'): Promise<Sentinel> } };

/** Keeps the screen on where the browser can: the lock ends whenever the page is hidden, so it is taken again. */
export function keepAwake(): void {
  const { wakeLock } = navigator as unknown as WakeLock;
  if (wakeLock === undefined || !mayLock()) return;
  let isHeld = false;
  const take = () => {
    if (isHeld || document.visibilityState !== 'visible') return;
    isHeld = true;
    wakeLock.request('screen').then(
      (sentinel) => sentinel.addEventListener('release', () => (isHeld = false)),
      // Low battery, or a frame that may not: the screen's own settings decide.
      () => (isHeld = false),
    );
  };
  document.addEventListener('visibilitychange', take);
  take();
}

type Policy = { readonly featurePolicy?: { allowsFeature(name: string): boolean } };

/** In a frame only if the page around it has `allow="screen-wake-lock"`; to try would be a complaint in the console. */
function mayLock(): boolean {
  const { featurePolicy } = document as unknown as Policy;
  return featurePolicy === undefined ? !isFramed() : featurePolicy.allowsFeature('screen-wake-lock');
}
