import { useLocation } from 'preact-iso';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { EventRecord } from '../../../events/event-record.ts';
import { isRefused } from '../../api-client.ts';
import { cameraAddress, cameraText } from '../../ui/cameras/camera-names.ts';
import { SampleMark } from '../../ui/events/event-card.tsx';
import { LoadFailure } from '../../ui/notices.tsx';
import { hasPictures } from '../../ui/page-marks.ts';
import { useVisible } from '../../ui/page-hooks.ts';
import { useMay, useProfile } from '../../profile.ts';
import { clockText, gateZone, isForeign } from '../../ui/time-text.ts';
import { numberText } from '../../ui/words.ts';
import { fill, plural, text } from '../../text.ts';
import { boundsOf, dayAt, dayIn } from '../../ui/days.ts';
import { around, kindOf, type Kind } from './day.ts';
import { DayEventList } from './day-events.tsx';
import { DayHead, KindChips, SharedSince } from './day-head.tsx';
import { DayStrip, type ShownDay } from './day-strip.tsx';
import { EmptyDay } from './empty-day.tsx';
import { Between, Played } from './stage.tsx';
import { useDay } from './use-day.ts';

/** Above the strip: the live picture, an event, or a moment without one. */
type Stage =
  | { readonly kind: 'live' }
  | { readonly kind: 'event'; readonly event: EventRecord; readonly from: number }
  | { readonly kind: 'between'; readonly at: number };

const live: Stage = { kind: 'live' };

interface CameraDayProps {
  readonly camera: string;
  /** The live picture, or why there is none. */
  readonly children: ComponentChildren;
}

/** The picture of a camera, the strip of its day below, and the events of the day. */
export function CameraDay({ camera, children }: CameraDayProps) {
  const { query, route } = useLocation();
  const { recordings_since: since } = useProfile();
  const history = useMay('history');
  const isLive = useMay('live') && hasPictures;
  const zone = gateZone();
  const now = useNow();
  const today = useMemo(() => dayAt(now, zone), [now, zone]);
  const name = history ? dayIn(query['day'], today) : today;
  const isToday = name === today;
  const bounds = useMemo(() => boundsOf(name, zone), [name, zone]);
  const shownDay: ShownDay = { bounds, zone, now, isToday, history, since, live: isLive };
  const { day, reload } = useDay({ camera, ...shownDay });
  const [stage, setStage] = useState(live);
  const [kind, chooseKind] = useState<Kind>();
  const box = useRef<HTMLDivElement>(null);
  const played = useClock(box, stage.kind === 'event' ? stage : undefined);
  // A picture belongs to its day.
  useEffect(() => setStage(live), [name]);

  const events = useMemo(
    () => (kind === undefined ? day.events : day.events.filter(({ label }) => kindOf(label) === kind)),
    [day.events, kind],
  );
  const event = stage.kind === 'event' ? stage.event : undefined;
  const head =
    stage.kind === 'live'
      ? isToday && isLive
        ? now
        : undefined
      : stage.kind === 'between'
        ? stage.at
        : played;
  const play = (chosen: EventRecord, at = chosen.start_time) => {
    const from = Math.max(0, at - chosen.start_time);
    const video = videoIn(box.current);
    if (chosen.id === event?.id && video !== undefined) video.currentTime = from;
    setStage({ kind: 'event', event: chosen, from });
  };
  const step = (by: -1 | 1) => {
    const place = events.findIndex(({ id }) => id === event?.id);
    const from = head ?? bounds.end;
    const { before, after } = around(events, from);
    const next = place === -1 ? (by === -1 ? before : after) : events[place - by];
    if (next !== undefined) play(next);
  };
  const pause = () => {
    const video = videoIn(box.current);
    if (video?.paused === true) void video.play().catch(() => undefined);
    else video?.pause();
  };
  const goLive = () => {
    setStage(live);
    if (!isToday) route(cameraAddress(camera));
  };

  const counted = plural(text.day.events, events.length);
  const isUnknown = day.kind === 'failed' && events.length === 0;
  const playRow = useRef(play);
  playRow.current = play;
  // A clip moves the playhead each second, and no row.
  const rows = useMemo(
    () => (
      <DayEventList
        name={counted}
        events={events}
        current={event?.id}
        zone={zone}
        onEvent={(chosen) => {
          playRow.current(chosen);
          // On a phone the picture is above the list.
          box.current?.scrollIntoView({ block: 'nearest' });
        }}
      />
    ),
    [counted, events, event?.id, zone],
  );
  const bar = useMemo(
    () => (
      <div class="day-bar">
        <DayHead camera={camera} name={name} today={today} since={since} zone={zone} />
        <KindChips events={day.events} kind={kind} onChoose={chooseKind} />
      </div>
    ),
    [camera, name, today, since, zone, day.events, kind],
  );
  return (
    <div class={history ? 'camera' : 'camera only-live'}>
      <div class="stage" ref={box}>
        {stage.kind === 'live' ? (
          children
        ) : stage.kind === 'event' ? (
          <Played key={stage.event.id} event={stage.event} day={shownDay} onLive={goLive} />
        ) : (
          <Between
            at={stage.at}
            day={shownDay}
            {...around(events, stage.at)}
            onEvent={play}
            onLive={goLive}
          />
        )}
      </div>
      <section class="card day" aria-label={fill(text.day.region, { camera: cameraText(camera) })}>
        {history && bar}
        <DayStrip
          camera={camera}
          day={shownDay}
          events={events}
          event={event}
          head={head}
          isLive={stage.kind === 'live' && isLive}
          onEvent={play}
          onBetween={(at) => setStage({ kind: 'between', at })}
          onLive={goLive}
          onStep={step}
          onPause={pause}
        />
        <SharedSince camera={camera} day={shownDay} />
        {history && isForeign(zone) && <small class="muted">{fill(text.day.zone, { zone })}</small>}
      </section>
      {history && (
        <section class="of-day" aria-busy={day.kind === 'loading'}>
          {isUnknown || <h2>{day.kind === 'loading' ? text.day.loading : counted}</h2>}
          <SampleMark />
          {day.since !== undefined && (
            <p role="status" class="notice">
              {fill(text.events.away, { time: clockText(day.since) })}
            </p>
          )}
          {day.kind === 'failed' ? (
            <LoadFailure
              what={text.events.events}
              error={day.error}
              onRetry={isRefused(day.error) ? () => location.reload() : reload}
            />
          ) : day.kind === 'complete' && events.length === 0 ? (
            kind === undefined ? (
              <EmptyDay camera={camera} day={shownDay} />
            ) : (
              <p class="placeholder">{text.day.nothingOfKind}</p>
            )
          ) : null}
          {events.length > 0 && rows}
          {day.isCut === true && (
            <p class="muted">{fill(text.day.cut, { n: numberText(day.events.length) })}</p>
          )}
        </section>
      )}
    </div>
  );
}

// Milliseconds: a third of a pixel of the widest strip.
const tick = 20_000;

/** @returns seconds since the epoch, kept up to date while the page is visible */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now() / 1000);
  const isVisible = useVisible();
  useEffect(() => {
    if (!isVisible) return undefined;
    const look = () => setNow(Date.now() / 1000);
    look();
    const timer = setInterval(look, tick);
    return () => clearInterval(timer);
  }, [isVisible]);
  return now;
}

/** @returns the moment that the clip of an event shows, to the second; absent without an event */
function useClock(
  box: { readonly current: HTMLElement | null },
  stage: { readonly event: EventRecord; readonly from: number } | undefined,
): number | undefined {
  const [shown, setShown] = useState<{ readonly id: string; readonly at: number }>();
  const { event, from = 0 } = stage ?? {};
  useLayoutEffect(() => {
    const element = box.current;
    setShown(undefined);
    if (event === undefined || element === null) return undefined;
    // These events do not bubble.
    const options = { capture: true };
    const onTime = () => {
      const video = videoIn(element);
      if (video === undefined) return;
      setShown({ id: event.id, at: event.start_time + Math.floor(video.currentTime) });
    };
    const onReady = () => {
      const video = videoIn(element);
      if (video !== undefined && from > 0) video.currentTime = from;
    };
    element.addEventListener('timeupdate', onTime, options);
    element.addEventListener('loadedmetadata', onReady, options);
    return () => {
      element.removeEventListener('timeupdate', onTime, options);
      element.removeEventListener('loadedmetadata', onReady, options);
    };
  }, [event?.id, from]);
  if (event === undefined) return undefined;
  return shown?.id === event.id ? shown.at : event.start_time + from;
}

/** The clip of the event that is shown. */
function videoIn(box: HTMLElement | null): HTMLVideoElement | undefined {
  return box?.querySelector<HTMLVideoElement>('.event-media > video') ?? undefined;
}
