import { useEffect, useState } from 'preact/hooks';
import { agoText, dateText, machineTime, timeText } from './time-text.ts';

/** A moment, in seconds since the epoch. */
export function Time({ seconds }: { readonly seconds: number }) {
  return <time dateTime={machineTime(seconds)}>{timeText(seconds)}</time>;
}

/** The day of a moment. */
export function Day({ seconds }: { readonly seconds: number }) {
  return <time dateTime={machineTime(seconds)}>{dateText(seconds)}</time>;
}

/** How long ago a moment was, kept up to date; the exact time is in its title. */
export function TimeAgo({ seconds }: { readonly seconds: number }) {
  const words = () => agoText(Date.now() / 1000 - seconds);
  const [, show] = useState('');
  useEffect(() => onEachMoment(() => show(words())), [seconds]);
  return (
    <time dateTime={machineTime(seconds)} title={timeText(seconds)}>
      {words()}
    </time>
  );
}

const watching = new Set<() => void>();
// Milliseconds: short enough for text in minutes.
const moment = 10_000;
let timer: ReturnType<typeof setInterval> | undefined;

/** One shared timer. @returns stops it */
function onEachMoment(look: () => void): () => void {
  watching.add(look);
  timer ??= setInterval(() => {
    for (const each of watching) each();
  }, moment);
  return () => {
    watching.delete(look);
    if (watching.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
