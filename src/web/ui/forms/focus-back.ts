import { useEffect } from 'preact/hooks';

/**
 * Restores the focus after a failure: a button that is pressed and waits is disabled, and loses it to the beginning of the
 * page.
 * @param where takes the focus, unless the user has moved it meanwhile
 */
export function useFocusBack(
  { busy, failure }: { readonly busy: boolean; readonly failure: unknown },
  where: () => HTMLElement | null | undefined,
): void {
  useEffect(() => {
    if (!busy && failure !== undefined && document.activeElement === document.body) where()?.focus();
  }, [busy, failure]);
}
