import { agoText, dateText, machineTime, timeText } from './time-text.ts';

/** A moment, in seconds since the epoch. */
export function Time({ seconds }: { readonly seconds: number }) {
  return <time dateTime={machineTime(seconds)}>{timeText(seconds)}</time>;
}

/** The day of a moment. */
export function Day({ seconds }: { readonly seconds: number }) {
  return <time dateTime={machineTime(seconds)}>{dateText(seconds)}</time>;
}

/** How long ago a moment is, in words; the exact time is in its title. */
export function TimeAgo({ seconds }: { readonly seconds: number }) {
  return (
    <time dateTime={machineTime(seconds)} title={timeText(seconds)}>
      {agoText(Date.now() / 1000 - seconds)}
    </time>
  );
}
