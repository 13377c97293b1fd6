import { readEvents } from '../../api-client.ts';
import { textOf } from '../../ui/explore-search.ts';
import { useLoaded } from '../../ui/loading.ts';
import { dayText } from '../../ui/time-text.ts';
import { fill, text } from '../../text.ts';
import { dayAt } from '../../ui/days.ts';
import { dayAddress } from './day-head.tsx';
import type { ShownDay } from './day-strip.tsx';

interface EmptyDayProps {
  readonly camera: string;
  readonly day: ShownDay;
}

/** A day without events, and the way to the last one with some. A day that is not shared says so elsewhere. */
export function EmptyDay({ camera, day }: EmptyDayProps) {
  const { bounds, isToday, since } = day;
  if (since !== undefined && since >= bounds.end) return null;
  return (
    <div class="placeholder">
      <p>{isToday ? text.day.nothingYet : text.day.nothing}</p>
      {(since === undefined || since < bounds.begin) && (
        <LastDay key={bounds.begin} camera={camera} day={day} />
      )}
    </div>
  );
}

function LastDay({ camera, day: { bounds, zone, now, since } }: EmptyDayProps) {
  const query = textOf({
    cameras: camera,
    limit: '1',
    include_thumbnails: '0',
    before: String(bounds.begin),
    ...(since === undefined ? {} : { after: String(since) }),
  });
  const [state] = useLoaded(async () => (await readEvents('/api/events', query)).events[0]);
  if (state.kind !== 'loaded' || state.value === undefined) return null;
  const name = dayAt(state.value.start_time, zone);
  const long = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
  return (
    <a href={dayAddress(camera, name, dayAt(now, zone))}>
      {fill(text.day.last, { day: dayText(name, long) })}
    </a>
  );
}
