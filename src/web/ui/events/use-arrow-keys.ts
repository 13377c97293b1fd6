import { useLayoutEffect } from 'preact/hooks';

const usesArrows = /^(?:input|select|textarea|video|pre)$/;

/** Leafs by the arrow keys, except where the focused element uses them. */
export function useArrowKeys(toPrevious: () => void, toNext: () => void): void {
  // A layout effect: it works as soon as the content is visible.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      if (event.target instanceof Element && usesArrows.test(event.target.localName)) return;
      const isRightToLeft = getComputedStyle(document.documentElement).direction === 'rtl';
      const [previousKey, nextKey] = isRightToLeft
        ? ['ArrowRight', 'ArrowLeft']
        : ['ArrowLeft', 'ArrowRight'];
      const leaf = event.key === previousKey ? toPrevious : event.key === nextKey ? toNext : undefined;
      if (leaf === undefined) return;
      event.preventDefault();
      leaf();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}
