import { useEffect, useRef, useState } from 'preact/hooks';
import { houseName } from './page-marks.ts';

const isVisible = () => document.visibilityState === 'visible';

/**
 * Calls back with whether the page is visible, now and on each change: it may be in a background tab.
 * @returns a function that stops the calls
 */
export function watchVisible(notify: (isVisible: boolean) => void): () => void {
  const onChange = () => notify(isVisible());
  onChange();
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}

/** @returns whether the page is visible */
export function useVisible(): boolean {
  const [seen, setSeen] = useState(isVisible);
  useEffect(() => watchVisible(setSeen), []);
  return seen;
}

/** Does some work when the user comes back to the page: what it shows may have changed. */
export function useOnReturn(work: () => unknown): void {
  const latest = useRef(work);
  latest.current = work;
  const isSeen = useVisible();
  const wasSeen = useRef(isSeen);
  useEffect(() => {
    if (isSeen && !wasSeen.current) void latest.current();
    wasSeen.current = isSeen;
  }, [isSeen]);
}

/** @returns the ref of a `details` that closes on a click outside and on Escape, which moves the focus to its name */
export function useMenu() {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = () => {
      if (menu.current) menu.current.open = false;
    };
    const onClick = (event: MouseEvent) => {
      if (!menu.current?.contains(event.target as Node)) close();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || menu.current?.open !== true) return;
      close();
      menu.current.querySelector('summary')?.focus();
    };
    document.addEventListener('click', onClick);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('click', onClick);
      document.removeEventListener('keydown', onKey);
    };
  }, []);
  return menu;
}

/** Titles of the page, and of the dialog that is open over it. */
const titles: { page: string; over: string | undefined } = { page: houseName, over: undefined };

function show(): void {
  document.title = `${titles.over ?? titles.page} · ${houseName}`;
}

export function usePageTitle(title: string): void {
  useEffect(() => {
    titles.page = title;
    show();
  }, [title]);
}

/** Sets the title while something is open over the page. */
export function useTitleOver(title: string): void {
  useEffect(() => {
    titles.over = title;
    show();
    return () => {
      titles.over = undefined;
      show();
    };
  }, [title]);
}

// Milliseconds to wait for content that reaches so far down.
const timeoutMs = 3_000;

/**
 * Back and Forward return to where a page was scrolled to. The browser tries that before the page has its content, and then
 * stays at the top.
 */
export function useScrollPlace(): void {
  useEffect(() => {
    history.scrollRestoration = 'manual';
    const places = new Map<string, number>();
    let giveUp = () => {};
    const onScroll = () => places.set(location.href, scrollY);
    const onBack = () => {
      giveUp();
      const place = places.get(location.href) ?? 0;
      const deadline = performance.now() + timeoutMs;
      let frame = 0;
      const tryIt = () => {
        scrollTo(0, place);
        if (Math.abs(scrollY - place) > 1 && performance.now() < deadline)
          frame = requestAnimationFrame(tryIt);
      };
      giveUp = () => cancelAnimationFrame(frame);
      frame = requestAnimationFrame(tryIt);
    };
    const onOwnScroll = () => giveUp();
    addEventListener('scroll', onScroll, { passive: true });
    addEventListener('popstate', onBack);
    for (const kind of ['wheel', 'touchmove', 'keydown'])
      addEventListener(kind, onOwnScroll, { passive: true });
    return () => {
      giveUp();
      removeEventListener('scroll', onScroll);
      removeEventListener('popstate', onBack);
      for (const kind of ['wheel', 'touchmove', 'keydown']) removeEventListener(kind, onOwnScroll);
    };
  }, []);
}
