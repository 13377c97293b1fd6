import { useEffect } from 'preact/hooks';

// How long to wait for content that reaches so far down.
const timeoutMs = 3_000;

/**
 * Back and Forward return to where a page was scrolled to. The browser tries that before the page has its content, and then stays at
 * the top.
 */
export function useScrollPlace(): void {
  useEffect(() => {
    history.scrollRestoration = 'manual';
    const places = new Map<string, number>();
    let giveUp = () => {};
    const onScroll = () => places.set(location.href, scrollY);
    const onBack = () => {
      giveUp();
      const place = places.get(location.href) ?? 0;
      const deadline = performance.now() + timeoutMs;
      let frame = 0;
      const tryIt = () => {
        scrollTo(0, place);
        if (Math.abs(scrollY - place) > 1 && performance.now() < deadline)
          frame = requestAnimationFrame(tryIt);
      };
      giveUp = () => cancelAnimationFrame(frame);
      frame = requestAnimationFrame(tryIt);
    };
    const onOwnScroll = () => giveUp();
    addEventListener('scroll', onScroll, { passive: true });
    addEventListener('popstate', onBack);
    for (const kind of ['wheel', 'touchmove', 'keydown'])
      addEventListener(kind, onOwnScroll, { passive: true });
    return () => {
      giveUp();
      removeEventListener('scroll', onScroll);
      removeEventListener('popstate', onBack);
      for (const kind of ['wheel', 'touchmove', 'keydown']) removeEventListener(kind, onOwnScroll);
    };
  }, []);
}
