import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { EventRecord } from '../../../events/event-record.ts';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import type { DayBounds } from '../../ui/days.ts';
import { Icon } from '../../ui/drawings.tsx';
import { titleOf } from '../../ui/event-text.ts';
import { clockIn } from '../../ui/time-text.ts';
import { fill, text } from '../../text.ts';
import {
  eventAt,
  hasClockChange,
  hoursOf,
  kindOf,
  kinds,
  marksOf,
  pathOf,
  shutParts,
  timeAt,
  xOf,
} from './day.ts';

/** The day of a house, as the page shows it. Times are seconds since the epoch. */
export interface ShownDay {
  readonly bounds: DayBounds;
  /** The zone of the house. */
  readonly zone: string;
  readonly now: number;
  readonly isToday: boolean;
  /** Whether recordings are shared, and since when; absent when all are. */
  readonly history: boolean;
  readonly since: number | undefined;
  /** Whether there are live pictures. */
  readonly live: boolean;
}

interface DayStripProps {
  readonly camera: string;
  readonly day: ShownDay;
  /** Newest first, as filtered. */
  readonly events: readonly EventRecord[];
  /** Plays. */
  readonly event: EventRecord | undefined;
  /** Where the playhead stands: absent on another day than that of the picture. */
  readonly head: number | undefined;
  readonly isLive: boolean;
  readonly onEvent: (event: EventRecord) => void;
  readonly onBetween: (at: number) => void;
  readonly onLive: () => void;
  /** Plays the event before or after the playhead. */
  readonly onStep: (step: -1 | 1) => void;
  readonly onPause: () => void;
}

/** Pixels; `lane` is the distance of two. */
const lane = 22;
const mark = 14;
const least = 5;
const height = kinds.length * lane;
/** How far beside a mark a press still counts. */
const near = { mouse: 8, touch: 18 };
/** Milliseconds after the last key until the event there plays. */
const rest = 600;
/** Seconds by which keys move. */
const steps = { arrow: 10, shift: 60, page: 3_600 };

/** A time of the day; with its zone's name on a day on which clocks show an hour twice. */
export function clockOf(at: number, { zone, bounds }: Pick<ShownDay, 'zone' | 'bounds'>): string {
  return clockIn(at, zone, {
    second: '2-digit',
    ...(hasClockChange(bounds) ? { timeZoneName: 'short' } : {}),
  });
}

/** 24 hours, with a mark for each event in the lane of its kind: a slider by pointer and keys. */
export function DayStrip(props: DayStripProps) {
  const { camera, day, events, event, isLive, onEvent, onBetween, onLive, onStep, onPause } = props;
  const { bounds, now, isToday, history, since } = day;
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(1_000);
  /** Where a finger or keys have moved the playhead, which then rests. */
  const [moved, setMoved] = useState<number>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const pressed = useRef<number | undefined>(undefined);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(1, entry?.contentRect.width ?? 1)));
    if (box.current !== null) observer.observe(box.current);
    return () => {
      observer.disconnect();
      clearTimeout(timer.current);
    };
  }, []);
  // The playhead stays where it was moved while a clip plays on, until the move settles.
  useLayoutEffect(() => setMoved(undefined), [event, isLive, bounds.begin]);

  const scale = { ...bounds, width };
  const first = Math.min(Math.max(since ?? bounds.begin, bounds.begin), bounds.end);
  const last = isToday ? Math.min(now, bounds.end) : bounds.end;
  const within = (at: number) => Math.min(Math.max(at, first), last);
  const head = moved ?? props.head;
  const at = within(head ?? last);

  const settle = (to: number, slack: number) => {
    clearTimeout(timer.current);
    setMoved(undefined);
    if (isToday && day.live && to >= last) return onLive();
    const found = eventAt(events, to, slack, now);
    if (found === undefined) onBetween(to);
    else onEvent(found);
  };
  const move = (to: number) => {
    clearTimeout(timer.current);
    setMoved(within(to));
    timer.current = setTimeout(() => settle(within(to), steps.arrow / 2), rest);
  };
  const onKeyDown = (key: KeyboardEvent) => {
    if (key.ctrlKey || key.metaKey || key.altKey) return;
    const arrow = key.shiftKey ? steps.shift : steps.arrow;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => move(at - arrow),
      ArrowDown: () => move(at - arrow),
      ArrowRight: () => move(at + arrow),
      ArrowUp: () => move(at + arrow),
      PageUp: () => move(at + steps.page),
      PageDown: () => move(at - steps.page),
      Home: () => move(first),
      End: () => move(last),
      Enter: () => settle(at, steps.arrow / 2),
      '[': () => onStep(-1),
      ']': () => onStep(1),
      ...(day.live ? { l: onLive, L: onLive } : {}),
      ' ': onPause,
    };
    const act = actions[key.key];
    if (act === undefined) return;
    key.preventDefault();
    act();
  };
  const timeUnder = ({ clientX }: PointerEvent) => {
    const { left = 0 } = box.current?.getBoundingClientRect() ?? {};
    return within(timeAt(clientX - left, scale));
  };
  const release = (pointer: PointerEvent) => {
    const from = pressed.current;
    pressed.current = undefined;
    if (from === undefined) return;
    const reach = pointer.pointerType === 'touch' ? near.touch : near.mouse;
    const slack = (reach / width) * (bounds.end - bounds.begin);
    const to = timeUnder(pointer);
    // A press means the mark below it, if there is one in its lane.
    const { top = 0 } = box.current?.getBoundingClientRect() ?? {};
    const kind = kinds[Math.floor((pointer.clientY - top) / lane)];
    const isPress = Math.abs(pointer.clientX - from) < 5;
    const inLane = isPress
      ? eventAt(
          events.filter(({ label }) => kindOf(label) === kind),
          to,
          slack,
          now,
        )
      : undefined;
    if (inLane === undefined) settle(to, slack);
    else {
      setMoved(undefined);
      onEvent(inLane);
    }
  };

  // The playhead moves over it each second.
  const ground = useMemo(
    () => <Ground day={day} width={width} />,
    [bounds.begin, bounds.end, day.zone, now, history, since, width],
  );
  const under = eventAt(events, at, steps.arrow / 2, now);
  const shown = moved === undefined && isLive ? undefined : moved === undefined ? event : under;
  const clock = clockOf(at, day);
  const value =
    shown !== undefined
      ? fill(text.day.at, { time: clock, title: titleOf(shown) })
      : isLive && moved === undefined
        ? isToday
          ? fill(text.day.liveAt, { time: clock })
          : text.day.livePicture
        : clock;
  return (
    <div class="day-strip">
      <div class="lanes" aria-hidden="true">
        {kinds.map((kind) => (
          <Icon key={kind} name={kind} />
        ))}
      </div>
      <div
        class="hours"
        ref={box}
        {...(history
          ? {
              role: 'slider',
              tabIndex: 0,
              'aria-label': fill(text.day.strip, { camera: cameraText(camera) }),
              'aria-describedby': 'strip-keys',
              'aria-valuemin': Math.round(first - bounds.begin),
              'aria-valuemax': Math.round(last - bounds.begin),
              'aria-valuenow': Math.round(at - bounds.begin),
              'aria-valuetext': value,
              onKeyDown,
              onPointerDown: (pointer: PointerEvent) => {
                if (pointer.button !== 0) return;
                pressed.current = pointer.clientX;
                box.current?.setPointerCapture(pointer.pointerId);
              },
              onPointerMove: (pointer: PointerEvent) => {
                if (pressed.current !== undefined) setMoved(timeUnder(pointer));
              },
              onPointerUp: release,
              onPointerCancel: () => {
                pressed.current = undefined;
                setMoved(undefined);
              },
            }
          : {})}
      >
        {ground}
        <Marks events={events} event={event} day={day} width={width} />
        {history && head !== undefined && (
          <span
            class={isLive && moved === undefined ? 'head live' : 'head'}
            style={{ '--x': `${xOf(head, scale)}px` }}
          >
            {moved !== undefined && (
              <span class={xOf(head, scale) > width / 2 ? 'bubble end' : 'bubble'}>
                <b>{clock}</b> {under !== undefined && titleOf(under)}
              </span>
            )}
          </span>
        )}
      </div>
      {history && (
        <p class="hidden-text" id="strip-keys">
          {text.day.keys}
        </p>
      )}
    </div>
  );
}

/** Hours, and what is hatched. */
function Ground({ day, width }: { readonly day: ShownDay; readonly width: number }) {
  const { bounds, zone } = day;
  const hours = useMemo(() => hoursOf(bounds, zone), [bounds.begin, bounds.end, zone]);
  const scale = { ...bounds, width };
  const every = width < 480 ? 6 : width < 900 ? 3 : 2;
  return (
    <svg class="ground" width="100%" height={height + 24} aria-hidden="true">
      <defs>
        <pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="8" height="8" />
          <path d="M0 0v8" />
        </pattern>
      </defs>
      {kinds.slice(1).map((kind, index) => (
        <path key={kind} class="between" d={`M0 ${(index + 1) * lane}.5h${width}`} />
      ))}
      {shutParts({ ...bounds, ...day }).map(({ from, to, why }) => (
        <rect
          key={why}
          class={`shut ${why}`}
          x={xOf(from, scale)}
          width={xOf(to, scale) - xOf(from, scale)}
          height={height}
        />
      ))}
      {hours.map(({ at, hour }) => {
        const x = xOf(at, scale);
        const isNamed = hour % every === 0;
        return (
          <g key={at} class="hour">
            <path d={`M${x.toFixed(1)} ${height}v${isNamed ? 24 : 6}`} />
            {isNamed && width - x > 36 && (
              <text x={x + 5} y={height + 17}>
                {clockIn(at, zone)}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

interface MarksProps {
  readonly events: readonly EventRecord[];
  readonly event: EventRecord | undefined;
  readonly day: ShownDay;
  readonly width: number;
}

/** One path a lane, however many events there are. */
function Marks({ events, event, day: { bounds, now }, width }: MarksProps) {
  const scale = { ...bounds, width };
  const top = (index: number) => index * lane + (lane - mark) / 2;
  const paths = useMemo(
    () =>
      kinds.map((kind, index) => {
        const own = events.filter(({ label }) => kindOf(label) === kind);
        return pathOf(marksOf(own, scale, least, now), top(index), mark);
      }),
    [events, bounds.begin, bounds.end, width, now],
  );
  const current = event === undefined ? [] : marksOf([event], scale, least, now);
  const at = event === undefined ? 0 : top(kinds.indexOf(kindOf(event.label)));
  return (
    <svg class="marks" width="100%" height={height} aria-hidden="true">
      {kinds.map((kind, index) => (
        <path key={kind} class={kind} d={paths[index] ?? ''} />
      ))}
      {current.map(([from, to]) => (
        <rect
          key={from}
          class="current"
          x={from - 2.5}
          y={at - 2.5}
          width={to - from + 5}
          height={mark + 5}
          rx="4"
        />
      ))}
    </svg>
  );
}
