import { useEffect, useRef, useState } from 'preact/hooks';
import { lasting } from './stream-text.ts';
import { readStreams, type OpenStream } from './streams-api.ts';
import { useRepeatedly } from '../loading.ts';
import { useVisible } from '../page-hooks.ts';

interface Streams {
  readonly open: readonly OpenStream[];
  /** The last refresh failed. */
  readonly error?: unknown;
}

/** Milliseconds between two requests. */
const usualPause = 5_000;

/**
 * Open streams, refreshed while the page is visible.
 * @param isOwn only the user's own
 * @returns the streams, or `undefined` while loading, and a function that refreshes now
 */
export function useStreams(isOwn: boolean, pause = usualPause): readonly [Streams | undefined, () => void] {
  const isVisible = useVisible();
  const [state, setState] = useState<Streams>();
  const before = useRef<ReadonlySet<string>>(new Set());
  const read = async () => {
    try {
      const all = await readStreams(isOwn);
      setState({ open: lasting(all, before.current) });
      before.current = new Set(all.map(({ id }) => id));
    } catch (error) {
      setState((former) => ({ open: former?.open ?? [], error }));
    }
  };
  useEffect(() => {
    if (isVisible) void read();
  }, [isVisible]);
  useRepeatedly(read, pause, isVisible);
  return [state, () => void read()];
}
