import { useEffect } from 'preact/hooks';

/**
 * Gives the focus back after what went wrong: a button that is pressed and waits is disabled, and loses it to the beginning
 * of the page.
 * @param where takes the focus, unless somebody has gone elsewhere meanwhile
 */
export function useFocusBack(
  { busy, failure }: { readonly busy: boolean; readonly failure: unknown },
  where: () => HTMLElement | null | undefined,
): void {
  useEffect(() => {
    if (!busy && failure !== undefined && document.activeElement === document.body) where()?.focus();
  }, [busy, failure]);
}
