/** Bytes a second: a connection that is slower than this, over the whole time of a limit, counts as stalled. */
export const slowest = 256;

interface StallWatch {
  /**
   * @param isWaiting whether the client has to act now
   * @param moved bytes that the client has moved so far
   * @param now milliseconds, monotonic
   * @param limit milliseconds
   * @returns whether the client was waited for throughout that time and moved fewer bytes than `slowest` requires
   */
  isStalled(isWaiting: boolean, moved: number, now: number, limit: number): boolean;
}

/** Watches one direction of a connection. */
export function createStallWatch(): StallWatch {
  let since: { readonly at: number; readonly moved: number } | undefined;
  return {
    isStalled: (isWaiting, moved, now, limit) => {
      if (!isWaiting) {
        since = undefined;
        return false;
      }
      if (since === undefined || moved - since.moved >= (slowest * limit) / 1_000) since = { at: now, moved };
      return now - since.at >= limit;
    },
  };
}
