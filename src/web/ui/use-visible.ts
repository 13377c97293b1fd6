import { useEffect, useState } from 'preact/hooks';

const isVisible = () => document.visibilityState === 'visible';

/**
 * Tells whether anybody can see the page, now and whenever it changes: it may be in a tab behind others.
 * @returns takes it back
 */
export function watchVisible(tell: (isVisible: boolean) => void): () => void {
  const onChange = () => tell(isVisible());
  onChange();
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}

/** @returns whether anybody can see the page */
export function useVisible(): boolean {
  const [seen, setSeen] = useState(isVisible);
  useEffect(() => watchVisible(setSeen), []);
  return seen;
}
