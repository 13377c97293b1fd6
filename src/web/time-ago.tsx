import { machineTime, timeText } from './event-text.ts';
import { agoText } from './time-text.ts';

/** How long ago a moment is, in words; the exact time is in its title. */
export function TimeAgo({ seconds }: { readonly seconds: number }) {
  return (
    <time dateTime={machineTime(seconds)} title={timeText(seconds)}>
      {agoText(Date.now() / 1000 - seconds)}
    </time>
  );
}
