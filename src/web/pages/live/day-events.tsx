import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { EventRecord } from '../../../events/event-record.ts';
import { Icon } from '../../ui/drawings.tsx';
import { durationText, titleOf } from '../../ui/event-text.ts';
import { Thumbnail } from '../../ui/events/event-card.tsx';
import { clockIn, machineTime } from '../../ui/time-text.ts';
import { kindOf } from './day.ts';

interface DayEventListProps {
  readonly name: string;
  /** Newest first. */
  readonly events: readonly EventRecord[];
  /** Plays. */
  readonly current: string | undefined;
  readonly zone: string;
  readonly onEvent: (event: EventRecord) => void;
}

/** Rows of one height, so that only those near the screen are rendered. */
const rowRem = 4.25;
/** Rows beyond either edge of the screen, for the keyboard. */
const beyond = 8;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The events of a day. A press plays one. */
export function DayEventList({ name, events, current, zone, onEvent }: DayEventListProps) {
  const list = useRef<HTMLOListElement>(null);
  const [{ from, to }, setRange] = useState<Range>({ from: 0, to: 2 * beyond });
  useEffect(() => {
    let frame = 0;
    const look = () => {
      const element = list.current;
      if (element === null) return;
      const row = rowHeight();
      const { top } = element.getBoundingClientRect();
      const first = Math.max(0, Math.floor(-top / row) - beyond);
      const last = Math.max(0, Math.ceil((innerHeight - top) / row)) + beyond;
      setRange((before) =>
        before.from === first && before.to === last ? before : { from: first, to: last },
      );
    };
    const onScroll = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    look();
    // The list scrolls in itself or with the page: only capturing sees both.
    addEventListener('scroll', onScroll, { capture: true, passive: true });
    addEventListener('resize', onScroll);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', onScroll, { capture: true });
      removeEventListener('resize', onScroll);
    };
  }, []);

  // A mark or a key has chosen the event: its row comes into view, where the list scrolls in itself.
  const place = events.findIndex(({ id }) => id === current);
  useEffect(() => {
    const box = list.current?.parentElement;
    if (place === -1 || box === null || box === undefined || box.scrollHeight <= box.clientHeight) return;
    const row = rowHeight();
    const top = place * row;
    if (top < box.scrollTop || top + row > box.scrollTop + box.clientHeight)
      box.scrollTop = top - (box.clientHeight - row) / 2;
  }, [current]);

  return (
    <div class="day-events">
      <ol ref={list} aria-label={name} style={{ '--rows': events.length }}>
        {events.slice(from, to).map((event, index) => (
          <Row
            key={event.id}
            event={event}
            place={from + index}
            count={events.length}
            isCurrent={event.id === current}
            zone={zone}
            onEvent={onEvent}
          />
        ))}
      </ol>
    </div>
  );
}

function rowHeight(): number {
  return rowRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}

interface RowProps {
  readonly event: EventRecord;
  readonly place: number;
  readonly count: number;
  readonly isCurrent: boolean;
  readonly zone: string;
  readonly onEvent: (event: EventRecord) => void;
}

function Row({ event, place, count, isCurrent, zone, onEvent }: RowProps) {
  const content = useMemo(() => <RowContent event={event} zone={zone} />, [event, zone]);
  return (
    <li aria-setsize={count} aria-posinset={place + 1} style={{ '--place': place }}>
      <button type="button" aria-current={isCurrent ? 'true' : undefined} onClick={() => onEvent(event)}>
        {content}
      </button>
    </li>
  );
}

function RowContent({ event, zone }: Pick<RowProps, 'event' | 'zone'>) {
  const duration = durationText(event);
  const kind = kindOf(event.label);
  return (
    <>
      <span class="event-picture" aria-hidden="true">
        <Thumbnail event={event} />
      </span>
      <span class="said">
        <span class={`kind ${kind}`}>
          <Icon name={kind} />
          <span dir="auto">{titleOf(event)}</span>
        </span>
        <span>
          <time dateTime={machineTime(event.start_time)}>{clockIn(event.start_time, zone)}</time>
          {duration !== undefined && <span class="muted"> · {duration}</span>}
        </span>
      </span>
    </>
  );
}
