import { useLocation } from 'preact-iso';
import { useMemo } from 'preact/hooks';
import type { EventRecord } from '../../../events/event-record.ts';
import { cameraAddress, cameraText } from '../../ui/cameras/camera-names.ts';
import { Icon } from '../../ui/drawings.tsx';
import { hasRecorder } from '../../ui/page-marks.ts';
import { pathTo } from '../../path-prefix.ts';
import { turnText } from '../../ui/roles/schedule.ts';
import { dayText } from '../../ui/time-text.ts';
import { numberText } from '../../ui/words.ts';
import { fill, text } from '../../text.ts';
import { dayAfter, dayAt, dayIn } from '../../ui/days.ts';
import { kindOf, kinds, type Kind } from './day.ts';
import type { ShownDay } from './day-strip.tsx';

/** @returns the address of a camera's day; of the current one, if it is no other */
export function dayAddress(camera: string, day: string, today: string): string {
  return cameraAddress(camera) + (day === today ? '' : `?day=${day}`);
}

interface DayHeadProps {
  readonly camera: string;
  readonly name: string;
  readonly today: string;
  /** Earlier recordings are hidden. Absent when none are. */
  readonly since: number | undefined;
  readonly zone: string;
}

/** The day, and the ways to others. */
export function DayHead({ camera, name, today, since, zone }: DayHeadProps) {
  const { route } = useLocation();
  const first = since === undefined ? undefined : dayAt(since, zone);
  const isOther = name.slice(0, 4) !== today.slice(0, 4);
  const long: Intl.DateTimeFormatOptions = {
    day: 'numeric',
    month: 'long',
    ...(isOther ? { year: 'numeric' } : {}),
  };
  const to = (day: string) => route(dayAddress(camera, day, today));
  const step = (sign: 'left' | 'right', label: string, day: string, isThere: boolean) => (
    <button
      type="button"
      class="quiet"
      aria-label={label}
      aria-disabled={!isThere}
      onClick={() => isThere && to(day)}
    >
      <Icon name={sign} />
    </button>
  );
  return (
    <>
      <div class="day-name">
        {step('left', text.day.previousDay, dayAfter(name, -1), first === undefined || name > first)}
        <strong aria-live="polite">
          {name === today
            ? fill(text.day.today, { day: dayText(name, long) })
            : dayText(name, { weekday: 'long', ...long })}
        </strong>
        {step('right', text.day.nextDay, dayAfter(name, 1), name < today)}
        <label class="choose-day">
          <Icon name="calendar" />
          <input
            type="date"
            aria-label={text.day.choose}
            value={name}
            min={first}
            max={today}
            // Typing passes through years that no camera has seen.
            onChange={({ currentTarget: { value } }) => {
              if (value >= '2000' && value === dayIn(value, today)) to(value);
            }}
          />
        </label>
      </div>
      {hasRecorder && (
        <a
          class="open-recorder"
          href={`${pathTo('/review')}?${new URLSearchParams({ cameras: camera })}`}
          target="_blank"
          title={text.site.inNewTab}
        >
          <Icon name="outside" />
          <span>{text.day.timeline}</span>
        </a>
      )}
    </>
  );
}

interface KindChipsProps {
  readonly events: readonly EventRecord[];
  readonly kind: Kind | undefined;
  readonly onChoose: (kind: Kind | undefined) => void;
}

/** How many events of each kind there are; a press leaves out the others. */
export function KindChips({ events, kind, onChoose }: KindChipsProps) {
  const counts = useMemo(() => {
    const found = new Map<Kind, number>();
    for (const { label } of events) found.set(kindOf(label), (found.get(kindOf(label)) ?? 0) + 1);
    return found;
  }, [events]);
  if (events.length === 0 && kind === undefined) return null;
  return (
    <div class="chips" role="group" aria-label={text.day.show}>
      <button
        type="button"
        class="chip"
        aria-pressed={kind === undefined}
        onClick={() => onChoose(undefined)}
      >
        {text.day.all} <small>{numberText(events.length)}</small>
      </button>
      {kinds
        .filter((each) => counts.has(each) || each === kind)
        .map((each) => (
          <button
            key={each}
            type="button"
            class="chip"
            aria-pressed={kind === each}
            onClick={() => onChoose(kind === each ? undefined : each)}
          >
            <span class={`kind ${each}`}>
              <Icon name={each} />
              {text.day.kinds[each]}
            </span>{' '}
            <small>{numberText(counts.get(each) ?? 0)}</small>
          </button>
        ))}
    </div>
  );
}

/** Says why a part of the day is hatched: nothing when all is shared. */
export function SharedSince({ camera, day }: { readonly camera: string; readonly day: ShownDay }) {
  const { bounds, history, since, zone, now } = day;
  if (history && (since === undefined || since <= bounds.begin)) return null;
  return (
    <p class="shared-since">
      <Icon name="lock" />
      {history
        ? fill(text.day.sharedFrom, { moment: turnText(since ?? 0, now, zone) })
        : fill(text.day.liveOnly, { camera: cameraText(camera) })}
    </p>
  );
}
