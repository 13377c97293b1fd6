import type { EventRecord } from '../../../events/event-record.ts';
import { Icon } from '../../ui/drawings.tsx';
import { EventMedia } from '../../ui/events/event-details.tsx';
import { eventAddress, titleOf } from '../../ui/event-text.ts';
import { fill, text } from '../../text.ts';
import { clockOf, type ShownDay } from './day-strip.tsx';

interface StageProps {
  readonly day: ShownDay;
  readonly onLive: () => void;
}

/** The clip of an event in place of the live picture; without one, what there is. */
export function Played({ event, day, onLive }: StageProps & { readonly event: EventRecord }) {
  const title = titleOf(event);
  return (
    <div class="played">
      <EventMedia event={event} />
      <div class="live-state">
        <p role="status" dir="auto">
          <Icon name="clock" />
          {fill(text.day.playing, { title, time: clockOf(event.start_time, day) })}
        </p>
        <a href={eventAddress(event.id)}>{text.day.details}</a>
      </div>
      {day.live && <GoLive onLive={onLive} />}
    </div>
  );
}

interface BetweenProps extends StageProps {
  readonly at: number;
  readonly before: EventRecord | undefined;
  readonly after: EventRecord | undefined;
  readonly onEvent: (event: EventRecord) => void;
}

/** A moment at which nothing happened, and the events beside it. */
export function Between({ at, day, before, after, onEvent, onLive }: BetweenProps) {
  const button = (event: EventRecord | undefined, words: string) =>
    event !== undefined && (
      <button type="button" class="secondary" onClick={() => onEvent(event)}>
        {fill(words, { time: clockOf(event.start_time, day), title: titleOf(event) })}
      </button>
    );
  return (
    <div class="played">
      <div class="blank">
        <p role="status">{fill(text.day.noneAt, { time: clockOf(at, day) })}</p>
        {button(before, text.day.before)}
        {button(after, text.day.after)}
      </div>
      {day.live && <GoLive onLive={onLive} />}
    </div>
  );
}

function GoLive({ onLive }: Pick<StageProps, 'onLive'>) {
  return (
    <button type="button" class="go-live" onClick={onLive}>
      <i class="dot" />
      {text.day.goLive}
    </button>
  );
}
