import { useEffect, useState } from 'preact/hooks';
import { ApiFailure } from './api-client.ts';

/** @returns seconds that a limit still asks to wait, counted down; and what takes in an error that may say so */
export function useWait(): readonly [number, (error: unknown) => void] {
  const [wait, setWait] = useState(0);
  useEffect(() => {
    if (wait <= 0) return undefined;
    const timer = setTimeout(() => setWait(wait - 1), 1_000);
    return () => clearTimeout(timer);
  }, [wait]);
  const note = (error: unknown) => {
    if (error instanceof ApiFailure && error.retryAfter !== undefined) setWait(Math.ceil(error.retryAfter));
  };
  return [wait, note];
}

export function isTooEarly(failure: unknown): boolean {
  return failure instanceof ApiFailure && failure.status === 429;
}
