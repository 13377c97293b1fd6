/** Writes later, and together, what is put into it: whoever puts does not wait for a disk. */
export interface WriteBehind<Item> {
  /** @param key an item with the same key that was not written yet is replaced; without one nothing is */
  put(item: Item, key?: unknown): void;
  /** Writes everything that is pending. */
  flush(): Promise<void>;
  /** Writes what is pending and stops. */
  close(): Promise<void>;
}

export interface WriteBehindOptions<Item> {
  /** Writes items in the order in which they were put; all or none. */
  readonly write: (items: readonly Item[]) => Promise<void>;
  /** Milliseconds between two writes. */
  readonly interval: number;
  /** How many items one write takes at most: the thread waits for it. */
  readonly batch: number;
  /** How many items may be pending; what is put beyond that is dropped. */
  readonly most: number;
  /** Told of a write that failed; its items stay pending. */
  readonly onError: (error: unknown) => void;
  /** Told of each item that is dropped. */
  readonly onDrop?: (item: Item) => void;
}

export function createWriteBehind<Item>(options: WriteBehindOptions<Item>): WriteBehind<Item> {
  const { write, interval, batch, most, onError, onDrop } = options;
  const pending = new Map<unknown, Item>();
  let writing: Promise<boolean> | undefined;

  const writeBatch = async (): Promise<boolean> => {
    const entries = [...pending.entries().take(batch)];
    try {
      await write(entries.map(([, item]) => item));
    } catch (error) {
      onError(error);
      return false;
    }
    // What was put under the same key meanwhile is another item, and stays.
    for (const [key, item] of entries) if (pending.get(key) === item) pending.delete(key);
    return true;
  };
  const next = (): Promise<boolean> =>
    (writing ??= writeBatch().finally(() => {
      writing = undefined;
    }));
  const flush = async () => {
    while (pending.size > 0) if (!(await next())) return;
  };

  const timer = setInterval(() => {
    if (pending.size > 0) void next();
  }, interval).unref();
  return {
    put: (item, key = Symbol()) => {
      if (pending.size >= most && !pending.has(key)) onDrop?.(item);
      else pending.set(key, item);
    },
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
