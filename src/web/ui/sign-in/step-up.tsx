import { useEffect, useState } from 'preact/hooks';
import { proveBy } from '../../prove-again.ts';
import { text } from '../../text.ts';
import { showToast } from '../toasts.tsx';

const load = () => import('./step-up-dialog.tsx');
type Asked = Awaited<ReturnType<typeof load>> & { readonly answer: (isProved: boolean) => void };

/** Where the user gives a fresh proof, over whatever is open. The dialog is loaded on demand. */
export function StepUp() {
  const [asked, setAsked] = useState<Asked>();
  useEffect(() => {
    proveBy(async () => {
      const dialog = await load().catch(() => showToast(text.progress.noAnswer));
      if (dialog === undefined) return false;
      return new Promise((resolve) => {
        const answer = (isProved: boolean) => {
          setAsked(undefined);
          resolve(isProved);
        };
        setAsked({ ...dialog, answer });
      });
    });
  }, []);
  return asked === undefined ? null : (
    <asked.StepUpDialog onClose={() => asked.answer(false)} onDone={() => asked.answer(true)} />
  );
}
