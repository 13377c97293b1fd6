import { useEffect, useState } from 'preact/hooks';
import { ApiFailure } from '../../api-client.ts';
import { useAction, type Action } from './use-action.ts';

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
