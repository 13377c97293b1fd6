import { useState } from 'preact/hooks';
import { cameraText } from '../cameras/camera-names.ts';
import type { EventRecord } from '../../../events/event-record.ts';
import {
  eventAddress,
  noteThumbnail,
  thumbnailOf,
  durationText,
  isRunning,
  labelText,
  titleOf,
} from '../event-text.ts';
import { useOpenEvent } from './event-over.tsx';
import { nameText } from '../words.ts';
import { fill, text } from '../../text.ts';
import { Time, TimeAgo } from '../parts.tsx';
import { gatePath } from '../../path-prefix.ts';
import { isSample } from '../page-marks.ts';
import { useProfile } from '../../profile.ts';

export function Thumbnail({ event }: { readonly event: EventRecord }) {
  // Computed once: rendering the list again must not load the picture again.
  const [url, setUrl] = useState(() => thumbnailOf(event));
  if (url === undefined) {
    return (
      <div class="no-thumbnail" role="img" aria-label={text.events.noThumbnail}>
        <span aria-hidden="true" dir="auto">
          {labelText(event.label)}
        </span>
      </div>
    );
  }
  return (
    <img
      src={url}
      alt={fill(text.events.pictureOf, { title: titleOf(event), camera: cameraText(event.camera) })}
      loading="lazy"
      decoding="async"
      onLoad={() => noteThumbnail(true)}
      onError={() => {
        noteThumbnail(false);
        setUrl(undefined);
      }}
    />
  );
}

/** @returns the link to an event in the page, or null */
export function linkOf(id: string): HTMLElement | null {
  return document.querySelector(`[data-event="${CSS.escape(id)}"]`);
}

/** A link that shows the event over the page. */
export function EventLink({ event }: { readonly event: EventRecord }) {
  const { open } = useOpenEvent();
  return (
    <a
      class="event-open"
      href={eventAddress(event.id)}
      // Without this, preact-iso would leave the page.
      target="_top"
      dir="auto"
      data-event={event.id}
      onClick={(click) => {
        if (click.button !== 0 || click.ctrlKey || click.metaKey || click.shiftKey || click.altKey) return;
        click.preventDefault();
        open(event.id);
      }}
    >
      {titleOf(event)}
    </a>
  );
}

export function EventCard({ event }: { readonly event: EventRecord }) {
  const duration = durationText(event);
  return (
    <li class="event">
      <Thumbnail event={event} />
      <div class="event-text">
        <h2>
          <EventLink event={event} />
        </h2>
        <p>
          <span dir="auto">{cameraText(event.camera)}</span> · <TimeAgo seconds={event.start_time} />
        </p>
        <p>
          <Time seconds={event.start_time} />
        </p>
        <div class="badges">
          {duration !== undefined && (
            <span class={isRunning(event) ? 'badge running' : 'badge'}>{duration}</span>
          )}
          {event.zones.map((zone) => (
            <span class="badge zone" key={zone} dir="auto">
              {nameText(zone)}
            </span>
          ))}
        </div>
      </div>
    </li>
  );
}

/** Marks the page's events as made up, if they are. */
export function SampleMark() {
  const isAdmin = useProfile().role === 'admin';
  if (!isSample) return null;
  const { says, action } = text.attention.sample_data;
  return (
    <p class="notice" role="note">
      {says} {isAdmin && <a href={gatePath('/first-run')}>{action}</a>}
    </p>
  );
}
