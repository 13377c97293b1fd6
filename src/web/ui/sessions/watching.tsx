import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { matchesSearch, doingText, sinceText, userText } from './stream-text.ts';
import { allowAgain, readStops, type OpenStream, type Stop } from './streams-api.ts';
import { useStreams } from './use-streams.ts';
import { useFocusNear } from '../lists/focus-near.ts';
import type { Pages } from '../lists/use-pages.ts';
import { useProfile } from '../../profile.ts';
import { text, fill } from '../../text.ts';
import { TitledSection } from '../section.tsx';
import { StopMenu } from './stop-menu.tsx';
import { roleText } from '../roles/role-access.ts';
import { RowFrame, Rows } from '../lists/row.tsx';
import { machineTime, timeText, clockText } from '../time-text.ts';
import { showToast } from '../toasts.tsx';
import { useAction } from '../forms/form-action.ts';
import { FailureNotice } from '../notices.tsx';

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
  /** Omit for all users. */
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

interface StreamsProps {
  readonly streams: readonly OpenStream[];
  /** Renders the button that stops a stream. Absent when the user may stop nothing. */
  readonly stopping: ((stream: OpenStream) => ComponentChildren) | undefined;
}

/** Open streams of one session, as rows within that of the session. */
function StreamsWithin({ streams, stopping }: StreamsProps) {
  if (streams.length === 0) return null;
  return (
    <ul class="within" aria-label={text.streams.open}>
      {streams.map((stream) => (
        <RowFrame key={stream.id} name={stream.id}>
          <Doing stream={stream} />
          {stopping?.(stream)}
        </RowFrame>
      ))}
    </ul>
  );
}

/** Open streams, with their users. */
function StreamRows({ streams, stopping }: StreamsProps) {
  const rows = streams.map((stream) => ({
    key: stream.id,
    title: userText(stream),
    aside: (
      <small>
        {[stream.role && roleText(stream.role), sourceText(stream), stream.address]
          .filter(Boolean)
          .join(' · ')}
      </small>
    ),
    line: <Doing stream={stream} />,
    more: stopping?.(stream),
  }));
  return <Rows rows={rows} caption={text.streams.title} />;
}

function sourceText(stream: OpenStream): string | undefined {
  const { source } = stream;
  // The text for the user already says so.
  return source === null || source === 'share' ? undefined : text.streams.source[source];
}

function Doing({ stream }: { readonly stream: OpenStream }) {
  return (
    <span class="on-air">
      {doingText(stream)}{' '}
      <time dateTime={machineTime(stream.since)} title={timeText(stream.since)}>
        {sinceText(stream)}
      </time>
    </span>
  );
}

interface StoppedProps {
  /** It is read again whenever this changes. */
  readonly state: unknown;
  /** Takes the focus when the focused element is removed. */
  readonly heading: { readonly current: HTMLElement | null };
}

/** Lists what admins have stopped for an hour, so that they can allow it again. */
function StoppedList({ state, heading }: StoppedProps) {
  const [stops, setStops] = useState<readonly Stop[]>([]);
  const { failure, run } = useAction();
  const read = async () => setStops((await readStops()).filter(({ cameras }) => cameras === null));
  useEffect(() => {
    // The list of open streams already shows that Postern does not answer.
    void read().catch(() => undefined);
  }, [state]);
  const goes = useFocusNear(
    stops.map(({ id }) => id),
    heading,
  );
  if (stops.length === 0) return null;
  const rows = stops.map(({ id, name, until, by }) => ({
    key: id,
    title: name,
    isTyped: true,
    facts: [fill(text.watching.until, { clock: clockText(until) }), fill(text.watching.by, { admin: by })],
    actions: [
      {
        label: fill(text.watching.allowOf, { user: name }),
        name: text.watching.allow,
        onClick: () =>
          run(async () => {
            await allowAgain(id);
            goes(id);
            await read();
            showToast(fill(text.watching.allowed, { user: name }));
          }),
      },
    ],
  }));
  return (
    <TitledSection id="stopped" title={text.watching.stoppedTitle}>
      <FailureNotice error={failure} />
      <Rows rows={rows} caption={text.watching.stoppedTitle} />
    </TitledSection>
  );
}
