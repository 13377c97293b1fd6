import { useEffect, useRef, useState } from 'preact/hooks';
import type { EventRecord } from '../events/event-record.ts';
import { readEvents } from './api-client.ts';

/** What Explore shows; an empty text is no filter, and ids come before the others. */
export interface EventSearch {
  readonly camera: string;
  readonly label: string;
  readonly ids: string;
}

interface EventList {
  readonly kind: 'loading' | 'partial' | 'complete' | 'failed';
  readonly events: readonly EventRecord[];
  readonly error?: unknown;
}

const pageSize = 24;

/** The newest events that fit, page by page. */
export function useEvents(search: EventSearch) {
  const [list, setList] = useState<EventList>({ kind: 'loading', events: [] });
  const round = useRef(0);

  const load = (before: readonly EventRecord[]) => {
    round.current += 1;
    const mine = round.current;
    setList({ kind: 'loading', events: before });
    void (async () => {
      const next = await readPage(search, before).catch((error: unknown): EventList => {
        return { kind: 'failed', events: before, error };
      });
      if (round.current === mine) setList(next);
    })();
  };
  useEffect(() => load([]), [search.camera, search.label, search.ids]);
  return { list, loadMore: () => load(list.events), reload: () => load([]) };
}

async function readPage(search: EventSearch, before: readonly EventRecord[]): Promise<EventList> {
  const found = await findEvents(search, before.at(-1));
  const complete = search.ids !== '' || found.length < pageSize;
  return { kind: complete ? 'complete' : 'partial', events: [...before, ...found] };
}

function findEvents(
  { camera, label, ids }: EventSearch,
  last: EventRecord | undefined,
): Promise<EventRecord[]> {
  if (ids !== '') return readEvents('/api/event_ids', { ids });
  return readEvents('/api/events', {
    limit: String(pageSize),
    ...(camera === '' ? {} : { cameras: camera }),
    ...(label === '' ? {} : { label }),
    ...(last === undefined ? {} : { before: String(last.start_time), before_id: last.id }),
  });
}
