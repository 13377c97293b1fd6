import { useLayoutEffect, useRef } from 'preact/hooks';

/** @returns the row to focus after one is removed: the next, else the previous, else `undefined` */
export function rowNear(rows: readonly string[], gone: string): string | undefined {
  const index = rows.indexOf(gone);
  return rows[index + 1] ?? rows[index - 1];
}

/**
 * Keeps the focus near a removed row: on the first button of the next one, or else on the heading. Otherwise it would move to
 * the beginning of the page.
 * @param rows keys of the shown rows
 * @param heading takes the focus if there is nothing else
 * @returns a function to call before a row is removed; without its key, all are
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
    // The user may have moved the focus meanwhile.
    if (document.activeElement !== document.body) return;
    const row = near === undefined ? null : document.querySelector(`[data-row="${CSS.escape(near)}"]`);
    const button = row?.querySelector('.row-actions')?.querySelector<HTMLElement>('button:enabled');
    (button ?? heading.current)?.focus();
  });
  return (gone) => {
    going.current =
      gone === undefined ? { gone: rows, near: undefined } : { gone: [gone], near: rowNear(rows, gone) };
  };
}
