import type { EventRecord } from '../../../events/event-record.ts';

/** Events that are newer than the list. */
export interface ListNews {
  /** Shown before the list, newest first. */
  readonly head: readonly EventRecord[];
  /** Updated events by id: one that was still running has ended. */
  readonly changed: ReadonlyMap<string, EventRecord>;
}

export const noNews: ListNews = { head: [], changed: new Map() };

/** @returns the events to show, each once */
export function withNews(items: readonly EventRecord[], { head, changed }: ListNews): readonly EventRecord[] {
  if (head.length === 0 && changed.size === 0) return items;
  const inHead = new Set(head.map(({ id }) => id));
  return [...head, ...items.filter(({ id }) => !inHead.has(id))].map(
    (event) => changed.get(event.id) ?? event,
  );
}

/** @returns the newest events not shown yet, and changes to the others */
export function newsIn(
  newest: readonly EventRecord[],
  shown: readonly EventRecord[],
): { readonly fresh: readonly EventRecord[]; readonly changed: ReadonlyMap<string, EventRecord> } {
  const known = new Map(shown.map((event) => [event.id, event]));
  const fresh = newest.filter(({ id }) => !known.has(id));
  const changed = new Map<string, EventRecord>();
  for (const event of newest) {
    const before = known.get(event.id);
    if (before === undefined || isSame(before, event)) continue;
    // The newest events are read without thumbnails.
    changed.set(event.id, { ...event, thumbnail: event.thumbnail || before.thumbnail });
  }
  return { fresh, changed };
}

/**
 * @param first page of the list as it is now
 * @returns the page followed by the shown events, or `undefined` if events between them may be missing
 */
export function joined(
  first: readonly EventRecord[],
  shown: readonly EventRecord[],
): readonly EventRecord[] | undefined {
  const known = new Set(shown.map(({ id }) => id));
  const fresh = first.filter(({ id }) => !known.has(id));
  return fresh.length < first.length ? fresh : undefined;
}

function isSame(one: EventRecord, other: EventRecord): boolean {
  const { thumbnail: _, ...facts } = one;
  const { thumbnail: __, ...others } = other;
  return JSON.stringify(facts) === JSON.stringify(others);
}
