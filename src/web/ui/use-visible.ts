import { useEffect, useRef, useState } from 'preact/hooks';

const isVisible = () => document.visibilityState === 'visible';

/** Calls back with whether the page is visible, now and on each change: it may be in a background tab. @returns stops it */
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
