import { withTimeout, type Timers } from '../clock.ts';

/** What came of one request: the answer, or why it is missing. */
export type Told<T> = { readonly answer: T } | { readonly silence: string };

/** Asks, and calls it off when there is no answer in time. */
export async function askWithTimeout<T>(
  timers: Timers,
  timeoutMs: number,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<Told<T>> {
  const late = new AbortController();
  try {
    const answer = await withTimeout(ask(late.signal), timeoutMs, timers.after);
    if (answer !== undefined) return { answer };
    late.abort();
    return { silence: `nothing within ${timeoutMs / 1_000} s` };
  } catch (error) {
    return { silence: errorText(error) };
  }
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return 'an error';
  return (error as NodeJS.ErrnoException).code ?? error.message;
}
