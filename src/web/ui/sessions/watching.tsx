import { StreamRows, StreamsWithin } from './stream-list.tsx';
import { matchesSearch } from './stream-text.ts';
import type { OpenStream } from './streams-api.ts';
import { useFocusNear } from '../lists/focus-near.ts';
import type { Pages } from '../lists/use-pages.ts';
import { useProfile } from '../../profile.ts';
import { text } from '../../text.ts';
import { TitledSection } from '../titled-section.tsx';
import { StopMenu } from './stop-menu.tsx';
import { StoppedList } from './stopped-list.tsx';
import { useStreams } from './use-streams.ts';

interface Heading {
  /** Takes the focus when the focused element is removed. */
  readonly heading: { readonly current: HTMLElement | null };
}

/**
 * Open streams, read beside the sessions.
 * @param isOwn only the user's own
 */
export function useWatching(isOwn: boolean, { heading }: Heading) {
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
  return {
    state,
    stopping,
    /** The open streams of a session. */
    within: (session: string) => (
      <StreamsWithin streams={streams.filter((found) => found.session === session)} stopping={stopping} />
    ),
    /** Sessions appear with their streams, which would push them down later. */
    together: <Item, Next>(list: Pages<Item, Next>): Pages<Item, Next> =>
      state === undefined && list.kind !== 'failed' ? { kind: 'loading', items: [], next: null } : list,
  };
}

interface WatchingProps extends Heading {
  readonly watching: ReturnType<typeof useWatching>;
  readonly isOwn?: boolean;
  /** Undefined: all users. */
  readonly user?: string | undefined;
  readonly search?: string;
  /** Ids of the sessions on the page. */
  readonly listed: readonly string[];
}

/** Open streams: those of a listed session appear in its row, all others here. */
export function Watching({ watching, isOwn = false, user, search = '', listed, heading }: WatchingProps) {
  const { role } = useProfile();
  const { state, stopping } = watching;
  const others = (state?.open ?? []).filter(
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
