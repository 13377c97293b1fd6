/**
 * @param make may give a promise: whoever asks meanwhile gets the same one
 * @param elapsed milliseconds that never go back
 * @returns gives what was made last, for so many milliseconds, and then makes it anew
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
