import { useRef, useState } from 'preact/hooks';

export interface Action {
  readonly busy: boolean;
  readonly failure: unknown;
  /** Does the work, unless some is being done. */
  readonly run: (work: () => Promise<void>) => void;
}

/** Something that a button does: whether it is being done, and why it could not be. */
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
