import { doingText, sinceText, userText } from './exchange-text.ts';
import type { OpenExchange } from './exchanges-api.ts';
import { Row, RowAction } from './row.tsx';
import { text } from './text.ts';
import { machineTime, timeText } from './time-text.ts';

interface ExchangesProps {
  readonly exchanges: readonly OpenExchange[];
  /** Undefined: whoever looks may cut nothing. */
  readonly onCut: ((exchange: OpenExchange) => void) | undefined;
}

/** What is open in one session, as rows within that of the session. */
export function ExchangesWithin({ exchanges, onCut }: ExchangesProps) {
  if (exchanges.length === 0) return null;
  return (
    <ul class="within" aria-label={text.exchanges.open}>
      {exchanges.map((exchange) => (
        <Row key={exchange.id} name={exchange.id}>
          <Doing exchange={exchange} />
          <Cut exchange={exchange} onCut={onCut} />
        </Row>
      ))}
    </ul>
  );
}

/** What is open, and by whom. */
export function ExchangeRows({ exchanges, onCut }: ExchangesProps) {
  return (
    <ul class="rows" aria-label={text.exchanges.title}>
      {exchanges.map((exchange) => (
        <Row key={exchange.id} name={exchange.id}>
          <div class="row-name long">
            <strong>{userText(exchange)}</strong>{' '}
            <small>
              {[exchange.role, sourceText(exchange), exchange.address].filter(Boolean).join(' · ')}
            </small>
            <div>
              <Doing exchange={exchange} />
            </div>
          </div>
          <Cut exchange={exchange} onCut={onCut} />
        </Row>
      ))}
    </ul>
  );
}

function sourceText(exchange: OpenExchange): string | undefined {
  const { source } = exchange;
  // Whose it is says that already.
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

function Cut({
  exchange,
  onCut,
}: Pick<ExchangesProps, 'onCut'> & {
  readonly exchange: OpenExchange;
}) {
  if (onCut === undefined) return null;
  const label = text.exchanges.cutOf(doingText(exchange), userText(exchange));
  return (
    <div class="row-actions">
      <RowAction aria-label={label} onClick={() => onCut(exchange)}>
        {text.exchanges.cut}
      </RowAction>
    </div>
  );
}
