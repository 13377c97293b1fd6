import type { Timers } from './timers.ts';

/** Of one request: the answer, or why there is none. */
export type Told<T> = { readonly answer: T } | { readonly silence: string };

/** Asks, and calls it off when there is no answer in time. @param patience milliseconds */
export async function withPatience<T>(
  timers: Timers,
  patience: number,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<Told<T>> {
  const late = new AbortController();
  const callOff = timers.after(patience, () => late.abort());
  try {
    return { answer: await ask(late.signal) };
  } catch (error) {
    return { silence: late.signal.aborted ? `nothing within ${patience / 1_000} s` : errorText(error) };
  } finally {
    callOff();
  }
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return 'an error';
  return (error as NodeJS.ErrnoException).code ?? error.message;
}
