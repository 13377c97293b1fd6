import { useRef, useState } from 'preact/hooks';

export interface Selection {
  /** Those of the shown rows. */
  readonly keys: readonly string[];
  /** How many can be chosen. */
  readonly offered: number;
  readonly offers: (key: string) => boolean;
  readonly has: (key: string) => boolean;
  /** @param reaches also those between this one and the one pressed before */
  readonly toggle: (key: string, reaches: boolean) => void;
  readonly toggleAll: () => void;
  readonly clear: () => void;
}

/** Several rows of a list at once. @param shown keys of the rows that can be chosen, in their order */
export function useSelection(shown: readonly string[]): Selection {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | undefined>(undefined);
  const keys = shown.filter((key) => picked.has(key));
  const offered = new Set(shown);
  return {
    keys,
    offered: offered.size,
    offers: (key) => offered.has(key),
    has: (key) => picked.has(key),
    toggle: (key, reaches) => {
      const from = reaches && last.current !== undefined ? shown.indexOf(last.current) : -1;
      const to = shown.indexOf(key);
      const reached = from === -1 ? [key] : shown.slice(Math.min(from, to), Math.max(from, to) + 1);
      const next = new Set(keys);
      for (const each of reached)
        if (picked.has(key)) next.delete(each);
        else next.add(each);
      last.current = key;
      setPicked(next);
    },
    toggleAll: () => setPicked(new Set(keys.length === shown.length ? [] : shown)),
    clear: () => setPicked(new Set()),
  };
}
