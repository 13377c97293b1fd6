import { useRef, useState } from 'preact/hooks';

export interface Action {
  readonly busy: boolean;
  readonly failure: unknown;
  /** Runs the work, unless some is in progress. */
  readonly run: (work: () => Promise<void>) => void;
}

/** The action of a button: whether it is in progress, and its error. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const working = useRef(false);
  const run = (work: () => Promise<void>) => {
    if (working.current) return;
    working.current = true;
    setBusy(true);
    setFailure(undefined);
    work()
      .catch((error: unknown) => setFailure(error))
      .finally(() => {
        working.current = false;
        setBusy(false);
      });
  };
  return { busy, failure, run };
}
