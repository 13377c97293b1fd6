export interface Outcome<Entry> {
  readonly done: readonly Entry[];
  readonly failed: ReadonlyArray<{ readonly entry: Entry; readonly error: unknown }>;
}

/**
 * Does the same with each of several entries, one after the other, so that one proof of identity is enough for all.
 * @param stops whether the others would fail by the same error: then they are left as they are
 */
export async function runEach<Entry>(
  entries: readonly Entry[],
  work: (entry: Entry) => Promise<void>,
  stops: (error: unknown) => boolean,
): Promise<Outcome<Entry>> {
  const done: Entry[] = [];
  const failed: Array<{ readonly entry: Entry; readonly error: unknown }> = [];
  for (const [index, entry] of entries.entries()) {
    try {
      await work(entry);
      done.push(entry);
    } catch (error) {
      if (stops(error)) {
        failed.push(...entries.slice(index).map((left) => ({ entry: left, error })));
        break;
      }
      failed.push({ entry, error });
    }
  }
  return { done, failed };
}
