import { useEffect, useRef, useState } from 'preact/hooks';
import { useFocusNear } from './focus-near.ts';

// Milliseconds.
const markedFor = 5_000;

/**
 * Feedback for changes of a list: its heading, the row marked for some seconds as new or changed, a function that marks one,
 * and one to call before a row is removed (all, without a key), so that the focus stays near.
 * @param keys of the shown rows
 */
export function useRows(keys: readonly string[]) {
  const [marked, setMarked] = useState<{ readonly key: string }>();
  useEffect(() => {
    if (marked === undefined) return undefined;
    const timer = setTimeout(() => setMarked(undefined), markedFor);
    return () => clearTimeout(timer);
  }, [marked]);
  const heading = useRef<HTMLHeadingElement>(null);
  const goes = useFocusNear(keys, heading);
  return { heading, marked: marked?.key, mark: (key: string) => setMarked({ key }), goes };
}
