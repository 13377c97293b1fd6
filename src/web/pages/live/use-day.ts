import { useEffect, useRef, useState } from 'preact/hooks';
import type { EventRecord } from '../../../events/event-record.ts';
import { ApiFailure, isRefused, readEvents } from '../../api-client.ts';
import { tryThumbnailsAgain } from '../../ui/event-text.ts';
import { textOf } from '../../ui/explore-search.ts';
import { useRepeatedly } from '../../ui/loading.ts';
import { useVisible } from '../../ui/page-hooks.ts';
import { withNews } from './day.ts';
import type { ShownDay } from './day-strip.tsx';

const pageSize = 100;
/** More than that is a broken detector, and a page that never ends. */
const mostPages = 50;
/** How many of the newest events are read again. */
const mostNews = 20;
// Milliseconds.
const newsTime = 15_000;

interface DayEvents {
  /** `partial`: older ones are still to come. `failed`: what is shown stays. */
  readonly kind: 'loading' | 'partial' | 'complete' | 'failed';
  /** Newest first. */
  readonly events: readonly EventRecord[];
  readonly error?: unknown;
  /** There are more than are read. */
  readonly isCut?: boolean;
  /** Postern does not answer: the events are from then, in seconds since the epoch. */
  readonly since?: number | undefined;
}

const loading: DayEvents = { kind: 'loading', events: [] };
const nothing: DayEvents = { kind: 'complete', events: [] };

interface Asked extends Pick<ShownDay, 'bounds' | 'isToday' | 'history' | 'since'> {
  readonly camera: string;
}

/** All events of a camera on a day, newest first, page by page; on the current day, news as well. */
export function useDay({ camera, bounds, isToday, history, since }: Asked) {
  const { begin, end } = bounds;
  const isOn = history && (since === undefined || since < end);
  const [day, setDay] = useState(loading);
  const [round, setRound] = useState(0);
  const answered = useRef(0);
  const query = (limit: number, changes: Readonly<Record<string, string>> = {}) =>
    textOf({
      cameras: camera,
      limit: String(limit),
      include_thumbnails: '0',
      // `after` excludes its exact moment, which belongs to the day. An earlier one than is shared would be refused.
      after: String(Math.max(begin - 0.001, since ?? 0)),
      before: String(end),
      ...changes,
    });
  const read = async (from: string) => {
    const found = await readEvents('/api/events', from);
    answered.current = Date.now() / 1000;
    return found;
  };
  /** A recorder that answers in place of Postern's events app does not say where the next page begins. */
  const nextAfter = (found: readonly EventRecord[]) => {
    const last = found.at(-1);
    if (last === undefined || found.length < pageSize) return undefined;
    return query(pageSize, { before: String(last.start_time), before_id: last.id });
  };

  useEffect(() => {
    setDay(isOn ? loading : nothing);
    if (!isOn) return undefined;
    let isOver = false;
    tryThumbnailsAgain();
    const events: EventRecord[] = [];
    const load = async () => {
      let next: string | undefined = query(pageSize);
      for (let pages = 0; next !== undefined && pages < mostPages; pages += 1) {
        const found = await read(next);
        if (isOver) return;
        events.push(...found.events);
        next = found.next ?? nextAfter(found.events);
        setDay({ kind: next === undefined ? 'complete' : 'partial', events: [...events] });
      }
      if (next !== undefined) setDay({ kind: 'complete', events, isCut: true });
    };
    load().catch((error: unknown) => {
      if (!isOver) setDay({ kind: 'failed', events: [...events], error });
    });
    return () => {
      isOver = true;
    };
  }, [camera, begin, since, isOn, round]);

  const reload = () => setRound(round + 1);
  const lookForNews = async () => {
    if (day.kind === 'failed') return reload();
    const { events: newest } = await read(query(mostNews));
    const merged = withNews(day.events, newest, mostNews);
    if (merged === undefined) return reload();
    setDay((before) => (before === day ? { ...day, events: merged, since: undefined } : before));
  };
  const onFailure = (error: unknown) => {
    if (isRefused(error)) setDay({ kind: 'failed', events: [], error });
    else if (error instanceof ApiFailure && [0, 502, 503, 504].includes(error.status))
      setDay((before) => ({ ...before, since: answered.current }));
  };
  const isVisible = useVisible();
  const isSettled = day.kind === 'complete' || (day.kind === 'failed' && !isRefused(day.error));
  useRepeatedly(() => lookForNews().catch(onFailure), newsTime, isOn && isToday && isVisible && isSettled);
  return { day, reload };
}
