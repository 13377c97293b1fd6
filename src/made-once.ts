/**
 * @returns a function that returns what `make` made at the first call. After a failure, the next call tries again: a file that can't be
 * opened now may be there then
 */
export function madeOnce<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}
