import { useLocation } from 'preact-iso';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { EventRecord } from '../../../events/event-record.ts';
import { isRefused, readEvents } from '../../api-client.ts';
import { EventCard, linkOf, SampleMark } from '../../ui/events/event-card.tsx';
import { cameraAddress } from '../../ui/cameras/camera-names.ts';
import { useOpenEvent } from '../../ui/events/event-over.tsx';
import { EventDialog } from '../../ui/events/event-dialog.tsx';
import { EventFilters } from './event-filters.tsx';
import { addressQuery, noSearch, searchIn, type EventSearch } from '../../ui/explore-search.ts';
import { LoadFailure, Message, Loading, Refused } from '../../ui/notices.tsx';
import { useMay, useProfile } from '../../profile.ts';
import { fill, plural, text } from '../../text.ts';
import { clockText } from '../../ui/time-text.ts';
import { mostNews, useEvents } from './use-events.ts';
import { usePageTitle } from '../../ui/page-hooks.ts';
import { useLoaded } from '../../ui/loading.ts';

/** Recent events of the user's cameras. The filters are in the address, so that it can be saved and shared. */
export function ExplorePage() {
  usePageTitle(text.events.title);
  return useMay('history') ? <Explore /> : <NoRecordings />;
}

/** One camera has its events on a page of its own; someone who is still choosing cameras stays here. */
function Explore() {
  const search = searchIn(useLocation().query);
  const [isChoosing, setChoosing] = useState(false);
  const isOver = useOpenEvent().id !== undefined;
  const only = onlyCamera(search);
  if (only !== undefined && !isChoosing && !isOver) return <ToCamera camera={only} />;
  return <EventSearchResults search={search} onChoosing={setChoosing} />;
}

/** @returns the camera of a search for nothing else */
function onlyCamera({ cameras, labels, after, before }: EventSearch): string | undefined {
  return cameras.length === 1 && labels.length === 0 && after === '' && before === ''
    ? cameras[0]
    : undefined;
}

function ToCamera({ camera }: { readonly camera: string }) {
  const { route } = useLocation();
  useEffect(() => route(cameraAddress(camera), true), [camera]);
  return null;
}

interface EventSearchResultsProps {
  readonly search: EventSearch;
  /** Called when the list of cameras opens and closes. */
  readonly onChoosing: (isOpen: boolean) => void;
}

function EventSearchResults({ search, onChoosing }: EventSearchResultsProps) {
  const { route } = useLocation();
  const profile = useProfile();
  const { list, fresh, since, showNews, loadMore } = useEvents(search, profile);
  const labels = useSeenLabels(list.items);
  const cardOf = useCards();

  const change = (changed: EventSearch) => {
    const target = location.pathname + addressQuery(changed);
    if (target !== location.pathname + location.search) route(target);
  };
  const showAll = () => change(noSearch);
  const filtered = addressQuery(search) !== '';

  return (
    <>
      <h1>{text.events.title}</h1>
      <SampleMark />
      <EventFilters
        search={search}
        cameras={profile.allowed_cameras}
        labels={labels}
        onChange={change}
        onChoosing={onChoosing}
      />
      <NewEvents fresh={fresh} onShow={showNews} />
      {since !== undefined && list.items.length > 0 && (
        <p role="status" class="notice">
          {fill(text.events.away, { time: clockText(since) })}
        </p>
      )}
      {!isRefused(list.error) && (
        <ul class="events" aria-busy={list.kind === 'loading'} aria-label={text.events.list}>
          {list.items.map(cardOf)}
        </ul>
      )}
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
              {text.actions.reload}
            </button>
          </Message>
        ) : isRefused(list.error) ? (
          <Message title={plural(text.events.notTheseCameras, search.cameras.length)} alert>
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
          {text.events.all}
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

/** @returns a card per event, reused while the event is unchanged: in a list of thousands, only new ones render */
function useCards(): (event: EventRecord) => VNode {
  const cards = useRef(new WeakMap<EventRecord, VNode>());
  return (event) => {
    const card = cards.current.get(event) ?? <EventCard key={event.id} event={event} />;
    cards.current.set(event, card);
    return card;
  };
}

/** New events since the list was read; shown above it on request. */
function NewEvents(props: {
  readonly fresh: readonly EventRecord[];
  readonly onShow: () => Promise<EventRecord | undefined>;
}) {
  const count = props.fresh.length;
  const show = async () => {
    const newest = await props.onShow();
    // The button disappears: the focus moves to the new events.
    requestAnimationFrame(() =>
      (linkOf(newest?.id ?? '') ?? document.querySelector<HTMLElement>('.event-open'))?.focus(),
    );
  };
  return (
    <div role="status" class="new-events">
      {count > 0 && (
        <button type="button" onClick={() => void show()}>
          {count < mostNews
            ? plural(text.events.newEvents, count)
            : fill(text.events.manyNewEvents, { count })}
        </button>
      )}
    </div>
  );
}

/** Loads by itself when it comes near the screen; without that feature it is a button. */
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
        {text.events.moreEvents}
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

/** Offers the labels that events have had. */
function useSeenLabels(events: readonly EventRecord[]): readonly string[] {
  const seen = useRef(new Set<string>());
  for (const { label } of events) seen.current.add(label);
  return [...seen.current].sort((a, b) => a.localeCompare(b));
}

/** Replaces a page with recordings, for users whose role does not include them. */
function NoRecordings() {
  // The page asks even if it knows the answer: a refusal is a decision, which an admin can look up.
  const [state, reload] = useLoaded(() => readEvents('/api/events', 'limit=1'));
  if (state.kind === 'failed') {
    const { error } = state;
    if (isRefused(error)) return <Refused error={error} title={text.may.notHistory} />;
    return <LoadFailure what={text.events.events} error={error} onRetry={reload} />;
  }
  if (state.kind === 'loading') return <Loading what={text.events.events} />;
  // The role has changed since the profile was read.
  location.reload();
  return null;
}
