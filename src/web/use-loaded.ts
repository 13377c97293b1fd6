import { useCallback, useEffect, useState } from 'preact/hooks';

type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Loads once, and again when asked; what is there stays on the page meanwhile. */
export function useLoaded<T>(load: () => Promise<T>): readonly [Loaded<T>, () => void] {
  const [state, setState] = useState<Loaded<T>>({ kind: 'loading' });
  const reload = useCallback(() => {
    load().then(
      (value) => setState({ kind: 'loaded', value }),
      (error: unknown) => setState({ kind: 'failed', error }),
    );
  }, []);
  useEffect(reload, []);
  return [state, reload];
}
