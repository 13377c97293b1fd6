import { useEffect, useRef, useState } from 'preact/hooks';
import { useFocusNear } from './focus-near.ts';

// Milliseconds.
const markedFor = 5_000;

/**
 * What is done to the rows of a list shows: the heading of the list, which row is new or has changed for some seconds, what
 * marks one, and what is called before one goes (without its key all go), so that the focus stays near.
 * @param keys of the rows that are shown
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
