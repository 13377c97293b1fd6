import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { StreamRows, StreamsWithin } from './stream-list.tsx';
import { matchesSearch } from './stream-text.ts';
import type { OpenStream } from './streams-api.ts';
import { useFocusNear } from '../lists/focus-near.ts';
import { useProfile } from '../../profile.ts';
import { text } from '../../text.ts';
import { TitledSection } from '../titled-section.tsx';
import { StopMenu } from './stop-menu.tsx';
import { StoppedList } from './stopped-list.tsx';
import { useStreams } from './use-streams.ts';

/** @returns the open streams of a session */
export type Within = (session: string) => ComponentChildren;

interface WatchingProps {
  /** Only the user's own. */
  readonly isOwn?: boolean;
  /** Undefined: all users. */
  readonly user?: string | undefined;
  readonly search?: string;
  /** Ids of the sessions on the page. */
  readonly listed: readonly string[];
  /** Takes the focus when the focused element is removed. */
  readonly heading: { readonly current: HTMLElement | null };
  /** Called with the open streams of the sessions on the page. */
  readonly onWithin?: (shown: { readonly within: Within }) => void;
}

/** Open streams: those of a listed session appear in its row, all others here. */
export function Watching({ isOwn = false, user, search = '', listed, heading, onWithin }: WatchingProps) {
  const { role } = useProfile();
  const [state, refresh] = useStreams(isOwn);
  const streams = state?.open ?? [];
  const goes = useFocusNear(
    streams.map(({ id }) => id),
    heading,
  );
  const stopping =
    role !== 'admin'
      ? undefined
      : (stream: OpenStream) => (
          <StopMenu
            streams={[stream]}
            onStopped={() => {
              goes(stream.id);
              refresh();
            }}
          />
        );
  useEffect(() => {
    onWithin?.({
      within: (session) => (
        <StreamsWithin streams={streams.filter((found) => found.session === session)} stopping={stopping} />
      ),
    });
  }, [state, role]);
  const others = streams.filter(
    (stream) =>
      !(stream.session !== null && listed.includes(stream.session)) &&
      (user === undefined || stream.user === user) &&
      matchesSearch(stream, search),
  );
  return (
    <>
      {state?.error !== undefined && <p class="notice">{text.streams.notRead}</p>}
      {others.length > 0 && (
        <TitledSection id="streams" title={text.streams.title}>
          <StreamRows streams={others} stopping={stopping} />
        </TitledSection>
      )}
      {!isOwn && role === 'admin' && <StoppedList state={state} heading={heading} />}
    </>
  );
}
