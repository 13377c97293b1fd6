/** Bytes a second: whoever moves fewer, over the whole time of a limit, would hold a connection for the sake of holding it. */
export const slowest = 256;

interface StallWatch {
  /**
   * @param isWaiting for the client, at this moment
   * @param moved bytes that the client has moved so far
   * @param now milliseconds that never go back
   * @param limit milliseconds
   * @returns whether it was waited for all along, for that long, while fewer bytes came than `slowest` asks for
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
