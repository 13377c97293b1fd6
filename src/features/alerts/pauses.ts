import { boundedCache } from '../../bounded-cache.ts';

/** Pauses keys that fail, for longer and longer, so that they do not hold up those that work. */
export interface Pauses {
  has(key: string): boolean;
  failed(key: string): void;
  succeeded(key: string): void;
}

export interface PausesOptions {
  /** Milliseconds, monotonic. */
  readonly elapsed: () => number;
  /** Milliseconds of the first pause; each one after it is twice as long. */
  readonly first: number;
  readonly longest: number;
}

// Forgotten keys are tried again earlier.
const mostRemembered = 10_000;

export function createPauses({ elapsed, first, longest }: PausesOptions): Pauses {
  const pauses = boundedCache<string, { readonly until: number; readonly length: number }>(mostRemembered);
  const has = (key: string) => (pauses.get(key)?.until ?? Number.NEGATIVE_INFINITY) > elapsed();
  return {
    has,
    failed: (key) => {
      // Failures at the same time count once.
      if (has(key)) return;
      const length = Math.min((pauses.get(key)?.length ?? first / 2) * 2, longest);
      pauses.set(key, { until: elapsed() + length, length });
    },
    succeeded: (key) => void pauses.delete(key),
  };
}
