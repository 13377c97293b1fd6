import { nameText } from '../../ui/event-text.ts';
import { badgesOf, type RowContent } from '../../ui/lists/row.tsx';
import { shareName } from '../../ui/shares/share-text.ts';
import type { Share } from '../../ui/shares/shares-api.ts';
import { text } from '../../text.ts';
import { Day, Time, TimeAgo } from '../../ui/time.tsx';
import { momentText } from '../../ui/time-text.ts';

/** What a share shows, until when, and how often it was opened. @param owner who shares it, in the list of all users */
export function shareRow(share: Share, owner: string | undefined, onEnd: () => void): RowContent {
  const words = text.shares;
  const name = shareName(share);
  return {
    key: share.id,
    title: name,
    isTyped: true,
    aside: owner !== undefined && <small>{words.by(owner)}</small>,
    badges: badgesOf([
      words.kinds[share.kind],
      ...share.cameras.map(nameText),
      ...(share.has_password ? [words.locked] : []),
    ]),
    line:
      share.kind === 'camera' ? (
        <small>{words.periodOf(momentText(share.from, true), momentText(share.until, true))}</small>
      ) : undefined,
    facts: [
      <>
        {words.madeAt} <Day seconds={share.made_at} />
      </>,
      <>
        {share.expires_at * 1000 > Date.now() ? words.until : words.over} <Time seconds={share.expires_at} />
      </>,
      <Openings share={share} />,
    ],
    actions: [{ label: words.endOf(name, owner), name: words.endNow, danger: true, onClick: onEnd }],
  };
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
