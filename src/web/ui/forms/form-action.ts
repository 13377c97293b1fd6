import { useRef, useState, useEffect } from 'preact/hooks';
import { ApiFailure } from '../../api-client.ts';

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

interface LimitedAction extends Action {
  /** Seconds left to wait, counted down. */
  readonly wait: number;
}

/** A rate-limited action. The failure disappears with the last second. */
export function useLimitedAction(): LimitedAction {
  const { busy, failure, run } = useAction();
  const [wait, setWait] = useState(0);
  useEffect(() => {
    if (wait <= 0) return undefined;
    const timer = setTimeout(() => setWait(wait - 1), 1_000);
    return () => clearTimeout(timer);
  }, [wait]);
  const limited = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (error instanceof ApiFailure && error.retryAfter !== undefined) setWait(Math.ceil(error.retryAfter));
      throw error;
    }
  };
  return {
    busy,
    failure: wait === 0 && isTooEarly(failure) ? undefined : failure,
    run: (work) => run(() => limited(work)),
    wait,
  };
}

export function isTooEarly(failure: unknown): boolean {
  return failure instanceof ApiFailure && failure.status === 429;
}

/**
 * Restores the focus after a failure: a button that is pressed and waits is disabled, and loses it to the beginning of the
 * page.
 * @param where takes the focus, unless the user has moved it meanwhile
 */
export function useFocusBack(
  { busy, failure }: { readonly busy: boolean; readonly failure: unknown },
  where: () => HTMLElement | null | undefined,
): void {
  useEffect(() => {
    if (!busy && failure !== undefined && document.activeElement === document.body) where()?.focus();
  }, [busy, failure]);
}

/** @returns the text of a field */
export function fieldOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
