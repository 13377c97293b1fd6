import { withTimeout } from '../clock.ts';

/** Milliseconds. */
const closeTimeoutMs = 2_000;

/**
 * A provider invalidates a refresh token when it is used: an answer that is dropped would be lost.
 * @returns a function that takes background work, which is waited for when `closing` closes
 */
export function waitedFor(closing: AsyncDisposableStack): Set<Promise<unknown>> {
  const underWay = new Set<Promise<unknown>>();
  closing.defer(async () => {
    await withTimeout(Promise.all(underWay), closeTimeoutMs);
  });
  return underWay;
}
