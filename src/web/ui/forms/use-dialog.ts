import { useEffect, useState } from 'preact/hooks';
import { forgetFields, noteDialog, takeDialog } from './kept-input.ts';
import { isAnonymous, useProfile } from '../../profile.ts';
import { text } from '../../text.ts';
import { showToast } from '../toasts.tsx';

/**
 * Tracks which dialog of a page is open. The dialog reopens after a login in between.
 * @param place different for each use on a page
 * @returns the open dialog, or `undefined`; a function that opens one; and one that closes it
 */
export function useDialog<Dialog>(
  place: string,
): readonly [Dialog | undefined, (dialog: Dialog) => void, () => void] {
  const profile = useProfile();
  const { username: user } = profile;
  const [dialog, setDialog] = useState(() => takeDialog(user, place) as Dialog | undefined);
  useEffect(() => {
    // All users of the internal entry point share that name, so the next one may be someone else.
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

/**
 * Loads a part of a page on first use, because most visits do not need it.
 * @param load the same at every call
 * @param onFailure called when loading fails
 */
export function useLater<Part>(
  load: () => Promise<Part>,
  wanted: boolean,
  onFailure: () => void,
): Part | undefined {
  const [part, setPart] = useState<{ readonly loaded: Part }>();
  useEffect(() => {
    if (!wanted || part !== undefined) return;
    load().then(
      (loaded) => setPart({ loaded }),
      () => {
        showToast(text.progress.noAnswer);
        onFailure();
      },
    );
  }, [wanted]);
  return part?.loaded;
}
