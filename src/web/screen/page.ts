import type { Texts } from '../../language/texts.ts';
import { fill } from '../../language/fill.ts';
import { locale } from '../locale.ts';
import { isFramed } from './ask.ts';

/** Attributes of an element. Functions are listeners, named `on…`. */
type Attributes = Readonly<Record<string, string | boolean | (() => void)>>;

/** @returns an element with attributes and children. Strings become text, never HTML */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const key of Object.keys(attributes)) {
    const value = attributes[key];
    if (typeof value === 'function') element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (typeof value === 'string') element.setAttribute(key, value);
  }
  for (const child of children) element.append(child);
  return element;
}

/** Replaces the children of a node. */
export function put(node: Element, ...children: ReadonlyArray<Node | string>): void {
  node.textContent = '';
  for (const child of children) node.append(child);
}

/** The texts in the screen's language, which come with its page. */
export const text = JSON.parse(document.body.dataset['texts'] ?? '') as Pick<Texts, 'pairScreen' | 'wall'>;

/** @param at milliseconds since the epoch */
export function clockTime(at: number): string {
  return new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }).format(at);
}

/** @param opens milliseconds since the epoch. @returns a sentence that tells when access opens */
export function opensText(opens: number | undefined, now: number): string {
  if (opens === undefined) return text.wall.closed;
  const days = dayOf(opens) - dayOf(now);
  const time = clockTime(opens);
  if (days === 0) return fill(text.wall.opensToday, { time });
  if (days === 1) return fill(text.wall.opensTomorrow, { time });
  const day = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
  return fill(text.wall.opensOn, { day: day.format(opens), time });
}

/** Days since the epoch, as the screen's own clock counts them. */
function dayOf(at: number): number {
  const date = new Date(at);
  return Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000);
}

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
      // The battery is low, or the frame may not lock: the screen's own settings decide.
      () => (isHeld = false),
    );
  };
  document.addEventListener('visibilitychange', take);
  take();
}

type Policy = { readonly featurePolicy?: { allowsFeature(name: string): boolean } };

/**
 * Whether the page may lock. A frame may only if the page around it has `allow="screen-wake-lock"`; trying would put an
 * error into the console.
 */
function mayLock(): boolean {
  const { featurePolicy } = document as unknown as Policy;
  return featurePolicy === undefined ? !isFramed() : featurePolicy.allowsFeature('screen-wake-lock');
}

/** A clock and timers, so that tests don't wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** @returns a function that cancels it */
  after(milliseconds: number, work: () => void): () => void;
}

export const browserClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, work) => {
    // A longer wait than 2^31 ms would end at once.
    const timer = setTimeout(work, Math.min(milliseconds, 2_000_000_000));
    return () => clearTimeout(timer);
  },
};
