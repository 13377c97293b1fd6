import type { EventRecord } from '../events/event-record.ts';
import { readEvents } from './api-client.ts';
import { usePages, type Page } from './use-pages.ts';

/** What Explore shows; an empty text is no filter, and ids come before the others. */
export interface EventSearch {
  readonly camera: string;
  readonly label: string;
  readonly ids: string;
}

const pageSize = 24;

/** The newest events that fit, page by page. */
export function useEvents(search: EventSearch) {
  const read = async (last: EventRecord | null): Promise<Page<EventRecord, EventRecord>> => {
    const items = await findEvents(search, last);
    const isLast = search.ids !== '' || items.length < pageSize;
    return { items, next: isLast ? null : (items.at(-1) ?? null) };
  };
  return usePages(read, [search.camera, search.label, search.ids]);
}

function findEvents({ camera, label, ids }: EventSearch, last: EventRecord | null): Promise<EventRecord[]> {
  if (ids !== '') return readEvents('/api/event_ids', { ids });
  return readEvents('/api/events', {
    limit: String(pageSize),
    ...(camera === '' ? {} : { cameras: camera }),
    ...(label === '' ? {} : { label }),
    ...(last === null ? {} : { before: String(last.start_time), before_id: last.id }),
  });
}
