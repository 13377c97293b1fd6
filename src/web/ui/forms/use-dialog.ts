import { useEffect, useState } from 'preact/hooks';
import { forgetFields, noteDialog, takeDialog } from './kept-input.ts';
import { isAnonymous, useProfile } from '../../profile.ts';

/**
 * Which dialog of a page is open. After a login that came in between it is open again.
 * @param place another one for each use on a page
 * @returns the dialog, or undefined; what opens one; and what closes it
 */
export function useDialog<Dialog>(
  place: string,
): readonly [Dialog | undefined, (dialog: Dialog) => void, () => void] {
  const profile = useProfile();
  const { username: user } = profile;
  const [dialog, setDialog] = useState(() => takeDialog(user, place) as Dialog | undefined);
  useEffect(() => {
    // Whoever comes by the internal entry point has that name, and may be somebody else after.
    if (dialog === undefined || isAnonymous(profile)) return undefined;
    noteDialog({ user, place, dialog });
    return () => noteDialog(undefined);
  }, [dialog]);
  const open = (next: Dialog) => {
    forgetFields();
    setDialog(next);
  };
  return [dialog, open, () => setDialog(undefined)];
}
