/** Writes items later, in batches, so that no caller waits for a disk. */
export interface WriteBehind<Item> {
  /** @param key merges the item with a pending one of the same key; without a key nothing is merged */
  put(item: Item, key?: unknown): void;
  /** Whether an item with another key would be dropped. */
  isFull(): boolean;
  /** Pending items, in order. */
  unwritten(): Item[];
  /** Writes everything that is pending. */
  flush(): Promise<void>;
  /** Writes what is pending and stops. */
  close(): Promise<void>;
}

export interface WriteBehindOptions<Item> {
  /** Writes items in the order in which they were put; all or none. */
  readonly write: (items: readonly Item[]) => Promise<void>;
  /** Merges two items with the same key; default: the later one wins. */
  readonly merge?: (earlier: Item, later: Item) => Item;
  /** Milliseconds between two writes. */
  readonly interval: number;
  /** The most items in one write, which blocks the thread. */
  readonly batch: number;
  /** The most items that may be pending; more are dropped. */
  readonly most: number;
  /** Called when a write fails; its items stay pending. */
  readonly onError: (error: unknown) => void;
  /** Called for each dropped item. */
  readonly onDrop?: (item: Item) => void;
}

export function createWriteBehind<Item>(options: WriteBehindOptions<Item>): WriteBehind<Item> {
  const { write, merge = (_, later) => later, interval, batch, most, onError, onDrop } = options;
  const pending = new Map<unknown, Item>();
  /** Being written, or waiting after a failed write. */
  const taken = new Map<unknown, Item>();
  let writing: Promise<boolean> | undefined;

  const add = (to: Map<unknown, Item>, item: Item, key: unknown) => {
    const earlier = to.get(key);
    to.set(key, earlier === undefined ? item : merge(earlier, item));
  };
  const size = () => pending.size + taken.size;
  const isFull = () => size() >= most;

  const writeBatch = async (): Promise<boolean> => {
    for (const [key, item] of pending.entries().take(batch - taken.size)) {
      pending.delete(key);
      add(taken, item, key);
    }
    try {
      await write([...taken.values()]);
    } catch (error) {
      onError(error);
      return false;
    }
    taken.clear();
    return true;
  };
  const next = (): Promise<boolean> =>
    (writing ??= writeBatch().finally(() => {
      writing = undefined;
    }));
  const flush = async () => {
    while (size() > 0) if (!(await next())) return;
  };

  const timer = setInterval(() => {
    if (size() > 0) void next();
  }, interval).unref();
  return {
    put: (item, key = Symbol()) => {
      if (isFull() && !pending.has(key) && !taken.has(key)) onDrop?.(item);
      else add(pending, item, key);
    },
    isFull,
    unwritten: () => [...taken.values(), ...pending.values()],
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
