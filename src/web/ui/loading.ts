import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Pages } from './lists/use-pages.ts';

type Loaded<T> =
  | { readonly kind: 'loading' }
  /** `error`: reloading failed. */
  | { readonly kind: 'loaded'; readonly value: T; readonly error?: unknown }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Loads once, and again on request; the old value stays meanwhile, and after a failure.
 * @param load of the first render; it does not change
 */
export function useLoaded<T>(load: () => Promise<T>): readonly [Loaded<T>, () => void] {
  const [state, setState] = useState<Loaded<T>>({ kind: 'loading' });
  const round = useRef(0);
  const reload = useCallback(() => {
    round.current += 1;
    const mine = round.current;
    const settle = (next: (before: Loaded<T>) => Loaded<T>) => {
      if (round.current === mine) setState(next);
    };
    load().then(
      (value) => settle(() => ({ kind: 'loaded', value })),
      (error: unknown) =>
        settle((before) => (before.kind === 'loaded' ? { ...before, error } : { kind: 'failed', error })),
    );
  }, []);
  useEffect(reload, []);
  return [state, reload];
}

/** @returns the loaded value as a list of one page */
export function listOf<T, Item>(
  state: Loaded<T>,
  itemsOf: (value: T) => readonly Item[],
): Pages<Item, never> {
  if (state.kind !== 'loaded') return { ...state, items: [], next: null };
  const { value, error } = state;
  return { kind: error === undefined ? 'complete' : 'failed', items: itemsOf(value), next: null, error };
}

/**
 * Repeats some work, one run at a time, and at once when the browser is back online or it was off for longer than that.
 * @param work never rejects
 * @param every milliseconds from the end of one run to the beginning of the next
 */
export function useRepeatedly(work: () => Promise<void>, every: number, isOn: boolean): void {
  const latest = useRef(work);
  latest.current = work;
  const ended = useRef(Date.now());
  useEffect(() => {
    if (!isOn) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isUnderWay = false;
    let isOver = false;
    const wait = (time: number) => {
      timer = setTimeout(() => void run(), time);
    };
    const run = async () => {
      if (isUnderWay) return;
      isUnderWay = true;
      clearTimeout(timer);
      await latest.current();
      isUnderWay = false;
      ended.current = Date.now();
      if (!isOver) wait(every);
    };
    const runNow = () => void run();
    wait(Math.max(0, ended.current + every - Date.now()));
    addEventListener('online', runNow);
    return () => {
      isOver = true;
      clearTimeout(timer);
      removeEventListener('online', runNow);
    };
  }, [isOn]);
}
