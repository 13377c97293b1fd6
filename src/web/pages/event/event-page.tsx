import { useLocation, useRoute } from 'preact-iso';
import type { EventRecord } from '../../../events/event-record.ts';
import { readEvents } from '../../api-client.ts';
import { CopyLink, LookedUpEvent, useArrowKeys } from '../../ui/events/event-parts.tsx';
import { eventAddress, titleOf } from '../../ui/event-text.ts';
import { EventDetails } from '../../ui/events/event-details.tsx';
import { neighboursOf } from './neighbours.ts';
import { gatePath } from '../../path-prefix.ts';
import { useProfile } from '../../profile.ts';
import { ShareButton } from '../../ui/shares/share-button.tsx';
import { text } from '../../text.ts';
import { useLoaded } from '../../ui/loading.ts';
import { usePageTitle } from '../../ui/page-hooks.ts';

/** One event at its own address. */
export function EventPage() {
  const { params, query } = useRoute();
  const id = params['id'] ?? query['id'] ?? '';
  usePageTitle(text.events.title);
  return <LookedUpEvent key={id} id={id} page show={(event) => <Found event={event} />} />;
}

function Found({ event }: { readonly event: EventRecord }) {
  usePageTitle(titleOf(event));
  const { route } = useLocation();
  const profile = useProfile();
  const [neighbours] = useLoaded(() =>
    neighboursOf(event, profile, async (query) => (await readEvents('/api/events', query)).events),
  );
  const { newer, older } = neighbours.kind === 'loaded' ? neighbours.value : {};
  const to = (other: EventRecord | undefined) => () => {
    if (other !== undefined) route(eventAddress(other.id));
  };
  useArrowKeys(to(newer), to(older));
  return (
    <article class="event-page">
      <p class="event-ways">
        <a href={gatePath('/explore')}>{text.events.toExplore}</a>
        {newer !== undefined && <a href={eventAddress(newer.id)}>{text.events.newer}</a>}
        {older !== undefined && <a href={eventAddress(older.id)}>{text.events.older}</a>}
      </p>
      <div class="title-row">
        <h1 dir="auto">{titleOf(event)}</h1>
        <div class="event-bar">
          <CopyLink path={eventAddress(event.id)} />
          <ShareButton target={{ kind: 'event', id: event.id, title: titleOf(event) }}>
            {text.events.share}
          </ShareButton>
        </div>
      </div>
      <EventDetails event={event} />
    </article>
  );
}
