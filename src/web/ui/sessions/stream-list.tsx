import { roleText } from '../roles/role-text.ts';
import type { ComponentChildren } from 'preact';
import { doingText, sinceText, userText } from './stream-text.ts';
import type { OpenStream } from './streams-api.ts';
import { RowFrame, Rows } from '../lists/row.tsx';
import { text } from '../../text.ts';
import { machineTime, timeText } from '../time-text.ts';

interface StreamsProps {
  readonly streams: readonly OpenStream[];
  /** What stops a stream; undefined: the user may stop nothing. */
  readonly stopping: ((stream: OpenStream) => ComponentChildren) | undefined;
}

/** Open streams of one session, as rows within that of the session. */
export function StreamsWithin({ streams, stopping }: StreamsProps) {
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
export function StreamRows({ streams, stopping }: StreamsProps) {
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
  // The user's text contains it already.
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
