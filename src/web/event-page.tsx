import { useRoute } from 'preact-iso';
import type { EventRecord } from '../events/event-record.ts';
import { CopyLink } from './copy-link.tsx';
import { eventAddress } from './event-address.ts';
import { EventDetails } from './event-details.tsx';
import { titleOf } from './event-text.ts';
import { LookedUpEvent } from './looked-up-event.tsx';
import { gatePath } from './path-prefix.ts';
import { text } from './text.ts';
import { usePageTitle } from './use-page-title.ts';

/** One event, for who comes by its address. */
export function EventPage() {
  const id = useRoute().params['id'] ?? '';
  usePageTitle(text.events.title);
  return <LookedUpEvent key={id} id={id} page show={(event) => <Found event={event} />} />;
}

function Found({ event }: { readonly event: EventRecord }) {
  usePageTitle(titleOf(event));
  return (
    <article class="event-page">
      <p>
        <a href={gatePath('/explore')}>{text.events.toExplore}</a>
      </p>
      <div class="title-row">
        <h1 dir="auto">{titleOf(event)}</h1>
        <div class="event-bar">
          <CopyLink path={eventAddress(event.id)} />
        </div>
      </div>
      <EventDetails event={event} />
    </article>
  );
}
