import { isDeepStrictEqual } from 'node:util';

/** @returns what `make` returns; the same object again for as long as the arguments are deeply equal to the previous ones */
export function keepLatest<From extends readonly unknown[], Made>(
  make: (...from: From) => Made,
): (...from: From) => Made {
  let latest: { readonly from: From; readonly made: Made } | undefined;
  return (...from) => {
    if (latest === undefined || !isDeepStrictEqual(latest.from, from)) latest = { from, made: make(...from) };
    return latest.made;
  };
}
