import { useAction } from '../forms/form-action.ts';
import { Icon } from '../drawings.tsx';
import { FailureNotice } from '../notices.tsx';
import { fill, text } from '../../text.ts';
import { useMenu } from '../page-hooks.ts';
import { userText } from './stream-text.ts';
import {
  mayEnd,
  mayPause,
  stopStream,
  allowAgain,
  type HowLong,
  type OpenStream,
  type Stopped,
} from './streams-api.ts';
import { clockText } from '../time-text.ts';
import { showToast } from '../toasts.tsx';

interface StopMenuProps {
  /** The streams of one session, API token or share. */
  readonly streams: readonly [OpenStream, ...OpenStream[]];
  readonly onStopped: () => void;
}

/** Two presses stop it. */
export function StopMenu({ streams, onStopped }: StopMenuProps) {
  const [first] = streams;
  const user = userText(first);
  const menu = useMenu();
  const { busy, failure, run } = useAction();
  const stop = (how: HowLong) =>
    run(async () => {
      // A stop for longer needs one stream, which names its user. A stop for now needs each, because each has cameras of its own.
      let stopped = await stopStream(first.id, how);
      if (how === 'now')
        for (const { id } of streams.slice(1)) stopped = await stopStream(id, how).catch(() => stopped);
      if (menu.current) menu.current.open = false;
      showStopped(user, how, stopped, onStopped);
      onStopped();
    });
  return (
    <details class="stop" ref={menu}>
      <summary role="button" class="secondary outline">
        <Icon name="stop" />
        {text.watching.stop}
        <span class="hidden-text"> {user}</span>
      </summary>
      <div class="menu" aria-busy={busy}>
        <button type="button" disabled={busy} onClick={() => stop('now')}>
          {text.watching.stopNow}
        </button>
        {mayPause(first) && (
          <button type="button" disabled={busy} onClick={() => stop('hour')}>
            {text.watching.stopHour}
          </button>
        )}
        {mayEnd(first) && (
          <button type="button" class="danger" disabled={busy} onClick={() => stop('good')}>
            {endText(first)}
          </button>
        )}
        <FailureNotice error={failure} />
      </div>
    </details>
  );
}

/** @returns the name of the action that ends access for good */
function endText(stream: OpenStream): string {
  if (stream.source === 'api-token') return text.watching.revoke;
  if (stream.source === 'display') return text.watching.endDisplay;
  return stream.source === 'share'
    ? text.watching.endShare
    : fill(text.watching.signOut, { user: userText(stream) });
}

/** Tells what was stopped. A stop for an hour has an undo. @param onAllowed called once access is allowed again */
function showStopped(user: string, how: HowLong, { stop, until }: Stopped, onAllowed: () => void): void {
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
