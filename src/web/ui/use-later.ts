import { useEffect, useState } from 'preact/hooks';
import { text } from '../text.ts';
import { showToast } from './toasts.tsx';

/**
 * A part of a page that is loaded on first use: most visits do not need it.
 * @param load the same at every call
 * @param onFailure called when loading fails
 */
export function useLater<Part>(
  load: () => Promise<Part>,
  wanted: boolean,
  onFailure: () => void,
): Part | undefined {
  const [part, setPart] = useState<{ readonly loaded: Part }>();
  useEffect(() => {
    if (!wanted || part !== undefined) return;
    load().then(
      (loaded) => setPart({ loaded }),
      () => {
        showToast(text.progress.noAnswer);
        onFailure();
      },
    );
  }, [wanted]);
  return part?.loaded;
}
