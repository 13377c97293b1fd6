/** A pair of a query as it was sent, between two `&`. */
export interface QueryPair {
  readonly text: string;
  /** Whether some server could read it as the parameter. */
  readonly isNamed: boolean;
}

/**
 * Splits a query as every server does.
 * @param parameter matches the beginning of the name in lower case, in any spelling; `camera` and `cameras` by default
 * @returns undefined if servers may read different parameters in it
 */
export function readPairs(query: string, parameter = camerasParameter): readonly QueryPair[] | undefined {
  // Some servers split at semicolons too, and for some a second question mark is part of a name.
  if (/[;?]/.test(query)) return undefined;
  const pairs: QueryPair[] = [];
  for (const text of query.split('&')) {
    const read = decodeThrough(text);
    if (read === undefined) return undefined;
    const [first = '', ...hidden] = read
      .normalize('NFKC')
      .toLowerCase()
      .split(/[#&;?]/);
    const isNamed = parameter.test(first);
    // A server that decodes before it splits the query finds one more parameter.
    if (!isNamed && hidden.some((part) => parameter.test(part))) return undefined;
    pairs.push({ text, isNamed });
  }
  return pairs;
}

/**
 * In any spelling: capitals, `cameras[]`, white space or an equals sign before, a NUL after. Servers trim, fold and cut names in all
 * these ways.
 */
const camerasParameter = /^[^a-z0-9_]*cameras?(?![a-z0-9_-])/;

const mostLayers = 4;

/** @returns a text without any percent-encoding; undefined if it is malformed, or encoded too many times */
function decodeThrough(text: string): string | undefined {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  let read = decoded(spaced);
  for (let layer = 1; read !== undefined && layer < mostLayers; layer += 1) {
    const next: string = read.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (next === read) return read;
    read = next;
  }
  return undefined;
}

/** @returns undefined if a percent sign begins no code, or the bytes are not UTF-8 (overlong forms included) */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
