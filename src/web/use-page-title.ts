import { useEffect } from 'preact/hooks';

/** The title of the tab, as long as this is shown. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = `${title} · Postern`;
    return () => {
      document.title = before;
    };
  }, [title]);
}
