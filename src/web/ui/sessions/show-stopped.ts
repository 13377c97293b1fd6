import { fill, text } from '../../text.ts';
import { clockText } from '../time-text.ts';
import { showToast } from '../toasts.tsx';
import { allowAgain, type HowLong, type Stopped } from './streams-api.ts';

/** Shows what was stopped, with the opposite for an hour. @param onAllowed called once it is allowed again */
export function showStopped(
  user: string,
  how: HowLong,
  { stop, until }: Stopped,
  onAllowed: () => void,
): void {
  if (how !== 'hour' || stop === null || until === null) {
    showToast(fill(text.watching.stopped, { user }));
    return;
  }
  showToast(fill(text.watching.stoppedUntil, { user, clock: clockText(until) }), async () => {
    await allowAgain(stop);
    showToast(fill(text.watching.allowed, { user }));
    onAllowed();
  });
}
