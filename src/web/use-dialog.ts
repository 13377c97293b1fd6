import { useEffect, useState } from 'preact/hooks';
import { forgetFields, noteDialog, takeDialog } from './kept-input.ts';
import { useProfile } from './profile.ts';

/**
 * Which dialog of a page is open. After a login that came in between it is open again.
 * @param place another one for each use on a page
 * @returns the dialog, or undefined; what opens one; and what closes it
 */
export function useDialog<Dialog>(
  place: string,
): readonly [Dialog | undefined, (dialog: Dialog) => void, () => void] {
  const { username: user } = useProfile();
  const [dialog, setDialog] = useState(() => takeDialog(user, place) as Dialog | undefined);
  useEffect(() => {
    if (dialog === undefined) return undefined;
    noteDialog({ user, place, dialog });
    return () => noteDialog(undefined);
  }, [dialog]);
  const open = (next: Dialog) => {
    forgetFields();
    setDialog(next);
  };
  return [dialog, open, () => setDialog(undefined)];
}
