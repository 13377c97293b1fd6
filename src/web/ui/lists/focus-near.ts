import { useLayoutEffect, useRef } from 'preact/hooks';

/** @returns the row where the focus goes when one is gone: the next, else the one before; undefined: none is left */
export function rowNear(rows: readonly string[], gone: string): string | undefined {
  const index = rows.indexOf(gone);
  return rows[index + 1] ?? rows[index - 1];
}

/**
 * Keeps the focus near a row that is removed: on what removes the next one, else on the heading. The focus of a removed
 * element would go to the beginning of the page.
 * @param rows keys of those that are shown
 * @param heading takes the focus when there is nothing else
 * @returns what is called before a row goes; without its name all go
 */
export function useFocusNear(
  rows: readonly string[],
  heading: { readonly current: HTMLElement | null },
): (gone?: string) => void {
  const going = useRef<{ readonly gone: readonly string[]; readonly near: string | undefined } | undefined>(
    undefined,
  );
  useLayoutEffect(() => {
    const { gone, near } = going.current ?? {};
    if (gone === undefined || gone.some((name) => rows.includes(name))) return;
    going.current = undefined;
    // Somebody may have gone elsewhere meanwhile.
    if (document.activeElement !== document.body) return;
    const row =
      near === undefined ? null : document.querySelector(`[data-row="${CSS.escape(near)}"] > .row-actions`);
    const button =
      row?.querySelector<HTMLElement>('.danger:enabled') ?? row?.querySelector<HTMLElement>('button:enabled');
    (button ?? heading.current)?.focus();
  });
  return (gone) => {
    going.current =
      gone === undefined ? { gone: rows, near: undefined } : { gone: [gone], near: rowNear(rows, gone) };
  };
}
