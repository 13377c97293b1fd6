import { doingText, sinceText, userText } from './exchange-text.ts';
import type { OpenExchange } from './exchanges-api.ts';
import { RowActions, RowFrame } from '../lists/row.tsx';
import { Rows } from '../lists/table.tsx';
import { text } from '../../text.ts';
import { machineTime, timeText } from '../time-text.ts';

interface ExchangesProps {
  readonly exchanges: readonly OpenExchange[];
  /** Undefined: the user may cut nothing. */
  readonly onCut: ((exchange: OpenExchange) => void) | undefined;
}

/** Open streams of one session, as rows within that of the session. */
export function ExchangesWithin({ exchanges, onCut }: ExchangesProps) {
  if (exchanges.length === 0) return null;
  return (
    <ul class="within" aria-label={text.exchanges.open}>
      {exchanges.map((exchange) => (
        <RowFrame key={exchange.id} name={exchange.id}>
          <Doing exchange={exchange} />
          <RowActions actions={cutAction(exchange, onCut)} />
        </RowFrame>
      ))}
    </ul>
  );
}

/** Open streams, with their users. */
export function ExchangeRows({ exchanges, onCut }: ExchangesProps) {
  const rows = exchanges.map((exchange) => ({
    key: exchange.id,
    title: userText(exchange),
    aside: (
      <small>{[exchange.role, sourceText(exchange), exchange.address].filter(Boolean).join(' · ')}</small>
    ),
    line: <Doing exchange={exchange} />,
    actions: cutAction(exchange, onCut),
  }));
  return <Rows rows={rows} caption={text.exchanges.title} />;
}

function sourceText(exchange: OpenExchange): string | undefined {
  const { source } = exchange;
  // The user's text contains it already.
  return source === null || source === 'share' ? undefined : text.exchanges.source[source];
}

function Doing({ exchange }: { readonly exchange: OpenExchange }) {
  return (
    <span class="on-air">
      {doingText(exchange)}{' '}
      <time dateTime={machineTime(exchange.since)} title={timeText(exchange.since)}>
        {sinceText(exchange)}
      </time>
    </span>
  );
}

function cutAction(exchange: OpenExchange, onCut: ExchangesProps['onCut']) {
  const label = text.exchanges.cutOf(doingText(exchange), userText(exchange));
  return [onCut !== undefined && { label, name: text.exchanges.cut, onClick: () => onCut(exchange) }];
}
