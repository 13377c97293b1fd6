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
  const read = async (query: string | null): Promise<Page<EventRecord, string>> => {
    if (search.ids !== '') {
      const { events } = await readEvents('/api/event_ids', textOf({ ids: search.ids }));
      return { items: events, next: null };
    }
    const { events, next } = await readEvents('/api/events', query ?? textOf(queryOf(search)));
    return { items: events, next: next ?? nextAfter(events, search) };
  };
  return usePages(read, [search.camera, search.label, search.ids]);
}

function queryOf({ camera, label }: EventSearch): Record<string, string> {
  return {
    limit: String(pageSize),
    ...(camera === '' ? {} : { cameras: camera }),
    ...(label === '' ? {} : { label }),
  };
}

/** A recorder that answers in place of our events app does not say where its list goes on. */
function nextAfter(events: readonly EventRecord[], search: EventSearch): string | null {
  const last = events.at(-1);
  if (last === undefined || events.length < pageSize) return null;
  return textOf({ ...queryOf(search), before: String(last.start_time), before_id: last.id });
}

function textOf(query: Record<string, string>): string {
  return new URLSearchParams(query).toString();
}
