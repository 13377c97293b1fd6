import { useRef, useState } from 'preact/hooks';
import type { EventRecord } from '../../../events/event-record.ts';
import { ApiFailure, isRefused, readEvents, type Profile } from '../../api-client.ts';
import { tryThumbnailsAgain } from '../../ui/event-text.ts';
import { joined, newsIn, noNews, withNews, type ListNews } from './event-list.ts';
import { addressQuery, apiQuery, secondsOf, textOf, type EventSearch } from '../../ui/explore-search.ts';
import { usePages, type Page } from '../../ui/lists/use-pages.ts';
import { useRepeatedly } from '../../ui/loading.ts';
import { useVisible } from '../../ui/page-hooks.ts';

const pageSize = 24;
/** How many of the newest events to check. */
export const mostNews = 10;
// Milliseconds.
const newsTime = 15_000;

/** Updates of a list since it was read. */
interface Seen {
  /** Its search. */
  readonly of: string;
  /** Updates already shown. */
  readonly news: ListNews;
  /** Updates announced but not shown yet. */
  readonly fresh: readonly EventRecord[];
}

const nothingSeen = (of: string): Seen => ({ of, news: noNews, fresh: [] });

/** The newest matching events, page by page, and updates since. */
export function useEvents(search: EventSearch, profile: Profile) {
  const key = addressQuery(search);
  const [{ of, news, fresh }, setSeen] = useState<Seen>(nothingSeen(key));
  const [isAway, setAway] = useState(false);
  // Seconds since the epoch: when the shown events were last read.
  const answered = useRef(Date.now() / 1000);

  const read = async (query: string | null): Promise<Page<EventRecord, string>> => {
    const filter = apiQuery(search, profile, pageSize);
    const { events, next } =
      filter === undefined
        ? { events: [], next: null }
        : await readEvents('/api/events', query ?? textOf(filter));
    answered.current = Date.now() / 1000;
    setAway(false);
    if (query === null) {
      setSeen(nothingSeen(key));
      tryThumbnailsAgain();
    }
    return { items: events, next: next === undefined ? nextAfter(events, filter) : next };
  };
  const { list, loadMore, reload, refresh } = usePages(read, [key]);
  const items = of === key ? withNews(list.items, news) : list.items;

  const lookForNews = async () => {
    const filter = apiQuery(search, profile, mostNews);
    if (filter === undefined) return;
    const found = await readEvents('/api/events', textOf({ ...filter, include_thumbnails: '0' }));
    answered.current = Date.now() / 1000;
    setAway(false);
    if (list.kind === 'failed') {
      loadMore();
      return;
    }
    const seen = newsIn(found.events, items);
    setSeen((before) => ({
      of: key,
      fresh: seen.fresh,
      news: { ...before.news, changed: new Map([...before.news.changed, ...seen.changed]) },
    }));
  };
  const to = secondsOf(search.before, 1);
  const isVisible = useVisible();
  // A past period gets no updates, and a list that failed to load is retried elsewhere.
  const isWatched = isVisible && (to === undefined || to > Date.now() / 1000);
  const onFailure = (error: unknown) => {
    if (isNoAnswer(error)) setAway(true);
    // The shown events may no longer be visible to the user.
    else if (isRefused(error)) reload();
  };
  useRepeatedly(() => lookForNews().catch(onFailure), newsTime, isWatched && list.kind !== 'loading');

  /** @returns the newest of the events not shown before, or `undefined` if there are too many */
  const showNews = async (): Promise<EventRecord | undefined> => {
    const filter = apiQuery(search, profile, pageSize);
    if (filter === undefined) return undefined;
    const found = await readEvents('/api/events', textOf(filter)).catch(onFailure);
    if (found === undefined) return undefined;
    const added = joined(found.events, items);
    if (added === undefined) {
      await refresh();
      return undefined;
    }
    setSeen({ of: key, fresh: [], news: { ...news, head: [...added, ...news.head] } });
    return added[0];
  };
  return {
    list: { ...list, items },
    fresh: of === key ? fresh : [],
    showNews,
    /** When the shown events were read, in seconds since the epoch. Absent when they are up to date. */
    since: isAway ? answered.current : undefined,
    loadMore,
  };
}

/** A recorder that answers in place of Postern's events app does not return where the next page begins. */
function nextAfter(
  events: readonly EventRecord[],
  filter: Readonly<Record<string, string>> | undefined,
): string | null {
  const last = events.at(-1);
  if (last === undefined || events.length < pageSize) return null;
  return textOf({ ...filter, before: String(last.start_time), before_id: last.id });
}

function isNoAnswer(error: unknown): boolean {
  return error instanceof ApiFailure && [0, 502, 503, 504].includes(error.status);
}
