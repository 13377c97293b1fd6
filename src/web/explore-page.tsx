import { useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import type { EventRecord } from '../events/event-record.ts';
import { ApiFailure } from './api-client.ts';
import { EventCard } from './event-card.tsx';
import { EventDialog } from './event-dialog.tsx';
import { EventFilters } from './event-filters.tsx';
import { LoadFailure, Message } from './notices.tsx';
import { useProfile } from './profile.ts';
import { text } from './text.ts';
import { useEvents, type EventSearch } from './use-events.ts';
import { SampleMark } from './sample-mark.tsx';
import { usePageTitle } from './use-page-title.ts';

/** Recent events of the identity's cameras. The filters are in the address, so that it can be kept and sent. */
export function ExplorePage() {
  usePageTitle(text.events.title);
  const { query, route } = useLocation();
  const profile = useProfile();
  const { allowed_cameras: cameras } = profile;
  const ids = query['ids'] ?? '';
  // Ids are looked up whatever camera and label are: a filter that does nothing is not shown.
  const search: EventSearch =
    ids === ''
      ? { camera: query['camera'] ?? '', label: query['label'] ?? '', ids }
      : { camera: '', label: '', ids };
  const { list, loadMore, reload } = useEvents(search, profile);
  const labels = useSeenLabels(list.items);

  const change = (changed: EventSearch) => {
    const kept = Object.entries(changed).filter(([, value]) => value !== '');
    const text = new URLSearchParams(kept).toString();
    const target = text === '' ? location.pathname : `${location.pathname}?${text}`;
    // Enter in a field both changes it and sends the form.
    if (target !== location.pathname + location.search) route(target);
  };
  const showAll = () => change({ camera: '', label: '', ids: '' });
  const filtered = search.camera !== '' || search.label !== '' || search.ids !== '';

  return (
    <>
      <div class="title-row">
        <h1>{text.events.title}</h1>
        <button type="button" class="secondary outline" onClick={reload} disabled={list.kind === 'loading'}>
          {text.events.refresh}
        </button>
      </div>
      <SampleMark />
      <EventFilters search={search} cameras={cameras} labels={labels} onChange={change} />
      <ul class="events" aria-busy={list.kind === 'loading'} aria-label={text.events.list}>
        {list.items.map((event) => (
          <EventCard key={event.id} event={event} />
        ))}
      </ul>
      {list.kind === 'complete' && list.items.length === 0 && (
        <Message title={text.events.none}>
          <p>{filtered ? text.events.noneMatches : text.events.nothingRecorded}</p>
          {filtered && (
            <button type="button" onClick={showAll}>
              {text.events.showAll}
            </button>
          )}
        </Message>
      )}
      {list.kind === 'failed' &&
        (isRefused(list.error) && !filtered ? (
          <Message title={text.events.othersByNow} alert>
            <button type="button" onClick={() => location.reload()}>
              {text.common.reload}
            </button>
          </Message>
        ) : isRefused(list.error) ? (
          <Message
            title={search.ids === '' ? text.events.notTheseCameras(1) : text.events.notTheseEvents}
            alert
          >
            <button type="button" onClick={showAll}>
              {text.events.showAll}
            </button>
          </Message>
        ) : (
          <LoadFailure what={text.events.events} error={list.error} onRetry={loadMore} />
        ))}
      {list.kind === 'loading' && <Skeletons first={list.items.length === 0} />}
      {list.items.length === 0 && list.next !== null && list.kind !== 'failed' && (
        <p class="placeholder" role="status">
          {text.events.noneMatchesYet}
        </p>
      )}
      {list.kind === 'partial' && <MoreEvents onMore={loadMore} />}
      {list.kind === 'complete' && list.items.length > 0 && (
        <p class="placeholder" role="status">
          {search.ids === '' ? text.events.all : foundText(search.ids, list.items.length)}
        </p>
      )}
      <EventDialog
        events={list.items}
        onNearEnd={() => {
          if (list.kind === 'partial') loadMore();
        }}
      />
    </>
  );
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 403;
}

function foundText(ids: string, found: number): string {
  const asked = new Set(
    ids
      .split(',')
      .map((id) => id.trim())
      .filter(Boolean),
  ).size;
  return text.events.found(found, asked);
}

/** Loads by itself when it comes near the screen; without that it is a button. */
function MoreEvents({ onMore }: { readonly onMore: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onMore();
      },
      { rootMargin: '300px' },
    );
    if (button.current) observer.observe(button.current);
    return () => observer.disconnect();
  }, []);
  return (
    <p class="placeholder">
      <button type="button" class="secondary outline" ref={button} onClick={onMore}>
        {text.events.more}
      </button>
    </p>
  );
}

function Skeletons({ first }: { readonly first: boolean }) {
  return (
    <>
      <p class="hidden-text" role="status">
        {text.events.loading}
      </p>
      <div class="events" aria-hidden="true">
        {Array.from({ length: first ? 8 : 4 }, (_, index) => (
          <div class="event skeleton" key={index} />
        ))}
      </div>
    </>
  );
}

/** Labels are offered once an event has shown them. */
function useSeenLabels(events: readonly EventRecord[]): readonly string[] {
  const seen = useRef(new Set<string>());
  for (const { label } of events) seen.current.add(label);
  return [...seen.current].sort((a, b) => a.localeCompare(b));
}
