import { withTimeout } from '../clock.ts';

/** Milliseconds. */
const endTimeoutMs = 2_000;

/**
 * A provider that was asked has used up what it was asked with: what it says now would be lost.
 * @returns what gets what goes on in the background, and is waited for when `closing` closes
 */
export function waitedFor(closing: AsyncDisposableStack): Set<Promise<unknown>> {
  const underWay = new Set<Promise<unknown>>();
  closing.defer(async () => {
    await withTimeout(Promise.all(underWay), endTimeoutMs);
  });
  return underWay;
}
