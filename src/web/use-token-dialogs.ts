import { useEffect, useState } from 'preact/hooks';
import { text } from './text.ts';
import { tell } from './toasts.tsx';

const load = () => import('./token-dialogs.tsx');
type TokenDialogs = Awaited<ReturnType<typeof load>>;

/**
 * The dialogs of API tokens, loaded when the first of them is wanted: most visits want none.
 * @param onFailure told when they do not come
 */
export function useTokenDialogs(wanted: boolean, onFailure: () => void): TokenDialogs | undefined {
  const [dialogs, setDialogs] = useState<TokenDialogs>();
  useEffect(() => {
    if (!wanted || dialogs !== undefined) return;
    load().then(setDialogs, () => {
      tell(text.progress.noAnswer);
      onFailure();
    });
  }, [wanted]);
  return dialogs;
}
