import type { EventRecord } from '../events/event-record.ts';
import { readEvents, type Profile } from './api-client.ts';
import { usePages, type Page } from './use-pages.ts';

/** What Explore shows; an empty text is no filter, and ids come before the others. */
export interface EventSearch {
  readonly camera: string;
  readonly label: string;
  readonly ids: string;
}

const pageSize = 24;

/**
 * The newest events that fit, page by page.
 * @param profile whose cameras every request names: one that names none may be closed
 */
export function useEvents(search: EventSearch, profile: Profile) {
  const read = async (query: string | null): Promise<Page<EventRecord, string>> => {
    if (search.ids !== '') {
      const { events } = await readEvents('/api/event_ids', textOf({ ids: search.ids }));
      return { items: events, next: null };
    }
    const filter = filterOf(search, profile);
    if (filter === undefined) return { items: [], next: null };
    const { events, next } = await readEvents('/api/events', query ?? textOf(filter));
    return { items: events, next: next ?? nextAfter(events, filter) };
  };
  return usePages(read, [search.camera, search.label, search.ids]);
}

/** @returns undefined when there is no camera to look for */
function filterOf(
  { camera, label }: EventSearch,
  { role, allowed_cameras: allowed }: Profile,
): Record<string, string> | undefined {
  const cameras = camera === '' ? allowed.join(',') : camera;
  // Cameras that nobody has listed are known by their events alone, to whoever sees all of them.
  if (cameras === '' && role !== 'admin' && role !== 'viewer') return undefined;
  return {
    limit: String(pageSize),
    ...(cameras === '' ? {} : { cameras }),
    ...(label === '' ? {} : { label }),
  };
}

/** A recorder that answers in place of our events app does not say where its list goes on. */
function nextAfter(events: readonly EventRecord[], filter: Record<string, string>): string | null {
  const last = events.at(-1);
  if (last === undefined || events.length < pageSize) return null;
  return textOf({ ...filter, before: String(last.start_time), before_id: last.id });
}

function textOf(query: Record<string, string>): string {
  return new URLSearchParams(query).toString();
}
