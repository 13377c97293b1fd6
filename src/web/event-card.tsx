import { useState } from 'preact/hooks';
import type { EventRecord } from '../events/event-record.ts';
import { durationText, nameText, titleOf } from './event-text.ts';
import { Time } from './time.tsx';

export function Thumbnail({ event }: { readonly event: EventRecord }) {
  const [broken, setBroken] = useState(false);
  if (event.thumbnail === null || event.thumbnail === '' || broken) {
    return (
      <div class="no-thumbnail" role="img" aria-label="No thumbnail">
        <span aria-hidden="true">{nameText(event.label)}</span>
      </div>
    );
  }
  return (
    <img
      src={`data:image/jpeg;base64,${event.thumbnail}`}
      alt={`${titleOf(event)} at ${nameText(event.camera)}`}
      decoding="async"
      onError={() => setBroken(true)}
    />
  );
}

export function EventCard(props: { readonly event: EventRecord; readonly onOpen: () => void }) {
  const { event, onOpen } = props;
  const isRunning = event.end_time === null;
  return (
    <li class="event">
      <Thumbnail event={event} />
      <div class="event-text">
        <h2>
          <button type="button" class="event-open" onClick={onOpen}>
            {titleOf(event)}
          </button>
        </h2>
        <p>{nameText(event.camera)}</p>
        <p>
          <Time seconds={event.start_time} />
        </p>
        <div class="badges">
          <span class={isRunning ? 'badge running' : 'badge'}>{durationText(event)}</span>
          {event.zones.map((zone) => (
            <span class="badge zone" key={zone}>
              {nameText(zone)}
            </span>
          ))}
        </div>
      </div>
    </li>
  );
}
