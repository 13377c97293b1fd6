import { useEffect } from 'preact/hooks';
import { cameraText } from '../cameras/camera-names.ts';
import { durationText } from '../event-text.ts';
import { Icon } from '../drawings.tsx';
import { clockText, machineTime, timeText } from '../time-text.ts';
import type { EventRecord } from '../../../events/event-record.ts';
import { isRefused, readEvents } from '../../api-client.ts';
import { EventLink, Thumbnail, SampleMark } from './event-card.tsx';
import { EventDialog } from './event-dialog.tsx';
import { LoadFailure } from '../notices.tsx';
import { gatePath } from '../../path-prefix.ts';
import { useProfile } from '../../profile.ts';
import { text } from '../../text.ts';
import { TimeAgo } from '../parts.tsx';
import { useLoaded } from '../loading.ts';
import { useVisible } from '../page-hooks.ts';

/** How many events are shown: two rows of four, or four of two. */
const count = 8;

/** Milliseconds between two requests for newer ones. */
const pause = 60_000;

/** The newest events of some cameras, and a link to all of them. */
export function NewestEvents({ cameras }: { readonly cameras: readonly string[] }) {
  const { role } = useProfile();
  // A list without cameras in the query may be closed to users limited to some.
  const isKnown = cameras.length > 0 || role === 'admin' || role === 'viewer';
  const query = new URLSearchParams({
    limit: String(count),
    ...(cameras.length > 0 ? { cameras: cameras.join(',') } : {}),
  });
  const [state, reload] = useLoaded<readonly EventRecord[]>(async () =>
    isKnown ? (await readEvents('/api/events', query.toString())).events : [],
  );
  const isVisible = useVisible();
  // The user's cameras have changed, as a new profile shows.
  const isOver = state.kind !== 'loading' && isRefused(state.error);
  useEffect(() => {
    if (!isVisible || isOver) return undefined;
    const timer = setInterval(reload, pause);
    return () => clearInterval(timer);
  }, [isVisible, isOver]);
  if (!isKnown) return null;
  const events = state.kind === 'loaded' ? state.value : [];
  const todays = todaysOf(events);
  const shown = todays.length > 0 ? todays : events;
  const title = todays.length > 0 ? text.home.today : text.home.newest;
  return (
    <section>
      <div class="title-row">
        <h2>{title}</h2>
        <a href={gatePath('/explore')}>{text.home.allEvents}</a>
      </div>
      <SampleMark />
      {state.kind === 'failed' || isOver ? (
        <LoadFailure
          what={text.home.events}
          error={state.error}
          onRetry={isOver ? () => location.reload() : reload}
        />
      ) : state.kind === 'loaded' && state.value.length === 0 ? (
        <p class="placeholder">{text.home.noEvents}</p>
      ) : (
        <ul class="events strip" aria-label={title} aria-busy={state.kind === 'loading'}>
          {state.kind === 'loading'
            ? Array.from({ length: count }, (_, index) => <li class="event skel" key={index} />)
            : shown.map((event) => <NewEvent key={event.id} event={event} isToday={todays.length > 0} />)}
        </ul>
      )}
      <EventDialog events={shown} />
    </section>
  );
}

/** @returns the events of today. @param now milliseconds since the epoch */
function todaysOf(events: readonly EventRecord[], now = Date.now()): readonly EventRecord[] {
  const day = new Date(now).toDateString();
  return events.filter(({ start_time: start }) => new Date(start * 1000).toDateString() === day);
}

function NewEvent({ event, isToday }: { readonly event: EventRecord; readonly isToday: boolean }) {
  const duration = durationText(event);
  const { start_time: start } = event;
  return (
    <li class="event">
      <div class="event-picture">
        <Thumbnail event={event} />
        {duration !== undefined && (
          <span class="event-length">
            <Icon name="play" />
            {duration}
          </span>
        )}
      </div>
      <div class="event-text">
        <h3>
          <EventLink event={event} />
        </h3>
        <p>
          <span dir="auto">{cameraText(event.camera)}</span> ·{' '}
          {isToday ? (
            <time dateTime={machineTime(start)} title={timeText(start)}>
              {clockText(start)}
            </time>
          ) : (
            <TimeAgo seconds={start} />
          )}
        </p>
      </div>
    </li>
  );
}
