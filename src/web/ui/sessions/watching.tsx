import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { CutStream } from './cut-stream.tsx';
import { StreamRows, StreamsWithin } from './stream-list.tsx';
import { doingText, matchesSearch } from './stream-text.ts';
import type { OpenStream } from './streams-api.ts';
import { useFocusNear } from '../lists/focus-near.ts';
import { useProfile } from '../../profile.ts';
import { text } from '../../text.ts';
import { TitledSection } from '../lists/titled-section.tsx';
import { showToast } from '../toasts.tsx';
import { useDialog } from '../forms/use-dialog.ts';
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
  const [cutting, open, close] = useDialog<OpenStream>('exchanges');
  const streams = state?.open ?? [];
  const cuts = useFocusNear(
    streams.map(({ id }) => id),
    heading,
  );
  const onCut = role === 'admin' ? open : undefined;
  useEffect(() => {
    onWithin?.({
      within: (session) => (
        <StreamsWithin streams={streams.filter((found) => found.session === session)} onCut={onCut} />
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
      {state?.error !== undefined && <p class="notice">{text.exchanges.notRead}</p>}
      {others.length > 0 && (
        <TitledSection id="exchanges" title={text.exchanges.title}>
          {!isOwn && <p class="hint">{text.exchanges.titleHint}</p>}
          <StreamRows streams={others} onCut={onCut} />
        </TitledSection>
      )}
      {cutting !== undefined && (
        <CutStream
          stream={cutting}
          onClose={close}
          onDone={() => {
            cuts(cutting.id);
            showToast(text.exchanges.wasCut(doingText(cutting)));
            refresh();
          }}
        />
      )}
    </>
  );
}
