import { doingText, sinceText, userText } from './stream-text.ts';
import type { OpenStream } from './streams-api.ts';
import { RowActions, RowFrame } from '../lists/row.tsx';
import { Rows } from '../lists/table.tsx';
import { text } from '../../text.ts';
import { machineTime, timeText } from '../time-text.ts';

interface StreamsProps {
  readonly streams: readonly OpenStream[];
  /** Undefined: the user may cut nothing. */
  readonly onCut: ((stream: OpenStream) => void) | undefined;
}

/** Open streams of one session, as rows within that of the session. */
export function StreamsWithin({ streams, onCut }: StreamsProps) {
  if (streams.length === 0) return null;
  return (
    <ul class="within" aria-label={text.exchanges.open}>
      {streams.map((stream) => (
        <RowFrame key={stream.id} name={stream.id}>
          <Doing stream={stream} />
          <RowActions actions={cutAction(stream, onCut)} />
        </RowFrame>
      ))}
    </ul>
  );
}

/** Open streams, with their users. */
export function StreamRows({ streams, onCut }: StreamsProps) {
  const rows = streams.map((stream) => ({
    key: stream.id,
    title: userText(stream),
    aside: <small>{[stream.role, sourceText(stream), stream.address].filter(Boolean).join(' · ')}</small>,
    line: <Doing stream={stream} />,
    actions: cutAction(stream, onCut),
  }));
  return <Rows rows={rows} caption={text.exchanges.title} />;
}

function sourceText(stream: OpenStream): string | undefined {
  const { source } = stream;
  // The user's text contains it already.
  return source === null || source === 'share' ? undefined : text.exchanges.source[source];
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

function cutAction(stream: OpenStream, onCut: StreamsProps['onCut']) {
  const label = text.exchanges.cutOf(doingText(stream), userText(stream));
  return [onCut !== undefined && { label, name: text.exchanges.cut, onClick: () => onCut(stream) }];
}
