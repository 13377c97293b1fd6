import { nameText } from './event-text.ts';
import { Row, RowAction } from './row.tsx';
import { shareName } from './share-text.ts';
import type { Share } from './shares-api.ts';
import { text } from './text.ts';
import { Day, Time, TimeAgo } from './time.tsx';
import { momentText } from './time-text.ts';

/** Shares as rows: what each shows, until when, and how often it was opened. */
export function ShareRows(props: {
  readonly shares: readonly Share[];
  /** Whose each is, besides. */
  readonly ofEverybody?: boolean;
  /** Id of the one that is new. */
  readonly marked?: string | undefined;
  readonly onEnd: (share: Share) => void;
}) {
  const { shares, ofEverybody = false, marked, onEnd } = props;
  const words = text.shares;
  return (
    <ul class="rows" aria-label={words.title}>
      {shares.map((share) => (
        <Row key={share.id} name={share.id} marked={marked === share.id}>
          <div class="row-name long">
            <strong dir="auto">{shareName(share)}</strong>{' '}
            {ofEverybody && <small>{words.by(share.made_by)}</small>}
            <div class="badges">
              <span class="badge">{words.kinds[share.kind]}</span>
              {share.cameras.map((camera) => (
                <span class="badge" key={camera}>
                  {nameText(camera)}
                </span>
              ))}
              {share.has_password && <span class="badge">{words.locked}</span>}
            </div>
            {share.kind === 'camera' && (
              <div>
                <small>{words.periodOf(momentText(share.from, true), momentText(share.until, true))}</small>
              </div>
            )}
            <div>
              <small>
                {words.madeAt} <Day seconds={share.made_at} />
                {' · '}
                {share.expires_at * 1000 > Date.now() ? words.until : words.over}{' '}
                <Time seconds={share.expires_at} />
                {' · '}
                <Openings share={share} />
              </small>
            </div>
          </div>
          <div class="row-actions">
            <RowAction
              danger
              aria-label={words.endOf(shareName(share), ofEverybody ? share.made_by : undefined)}
              onClick={() => onEnd(share)}
            >
              {words.endNow}
            </RowAction>
          </div>
        </Row>
      ))}
    </ul>
  );
}

function Openings({ share: { openings, last_opened_at: last } }: { readonly share: Share }) {
  const words = text.shares;
  if (openings === 0) return <>{words.neverOpened}</>;
  return (
    <>
      {words.opened(openings)}
      {last !== null && (
        <>
          , {words.lastOpened} <TimeAgo seconds={last} />
        </>
      )}
    </>
  );
}
