/**
 * @param make may return a promise: callers get the same one until it settles
 * @param elapsed milliseconds, monotonic
 * @returns caches what `make` returned for so many milliseconds
 */
export function atMostEvery<T>(
  milliseconds: number,
  make: () => T,
  elapsed: () => number = () => performance.now(),
): () => T {
  let until = Number.NEGATIVE_INFINITY;
  let last: T;
  return () => {
    const at = elapsed();
    if (at >= until) {
      last = make();
      until = at + milliseconds;
    }
    return last;
  };
}
