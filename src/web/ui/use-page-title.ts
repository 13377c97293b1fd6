import { useEffect } from 'preact/hooks';
import { houseName } from './house.ts';

/** Of the page, and of what is open over it. */
const titles: { page: string; over: string | undefined } = { page: houseName, over: undefined };

function show(): void {
  document.title = `${titles.over ?? titles.page} · ${houseName}`;
}

export function usePageTitle(title: string): void {
  useEffect(() => {
    titles.page = title;
    show();
  }, [title]);
}

/** The title of what is open over the page, while it is open. */
export function useTitleOver(title: string): void {
  useEffect(() => {
    titles.over = title;
    show();
    return () => {
      titles.over = undefined;
      show();
    };
  }, [title]);
}
