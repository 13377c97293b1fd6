import { cameraText } from '../../ui/cameras/camera-names.ts';
import type { Columns } from '../../ui/lists/column-table.tsx';
import { listText } from '../../ui/words.ts';
import { shareName, type Share } from '../../ui/shares/shares-api.ts';
import { fill, plural, text } from '../../text.ts';
import { Time, TimeAgo } from '../../ui/parts.tsx';
import { momentText } from '../../ui/time-text.ts';

/** Columns of a list of shares. @param isOfAll shares of all users, with their owners */
export function shareColumns(isOfAll: boolean, onEnd: (share: Share) => void): Columns<Share> {
  const words = text.shares;
  return {
    class: 'shares',
    keyOf: ({ id }) => id,
    nameOf: shareName,
    columns: [
      {
        title: words.columns.name,
        isName: true,
        sort: { name: 'name', of: shareName },
        cell: (share) => (
          <span class="named">
            <strong dir="auto">{shareName(share)}</strong>
            {share.has_password && <span class="tag">{words.locked}</span>}
          </span>
        ),
      },
      {
        title: words.columns.shows,
        sort: { name: 'shows', of: shownText },
        cell: (share) => <Shown share={share} />,
      },
      ...(isOfAll
        ? [
            {
              title: words.columns.by,
              sort: { name: 'by', of: ({ made_by: user }: Share) => user },
              cell: ({ made_by: user }: Share) => (
                <>
                  <span class="folded">{words.by} </span>
                  {user}
                </>
              ),
            },
          ]
        : []),
      {
        title: words.columns.until,
        sort: { name: 'until', of: ({ expires_at: at }) => at },
        cell: ({ expires_at: at }) =>
          at * 1000 > Date.now() ? (
            <>
              <span class="folded">{words.until} </span>
              <Time seconds={at} />
            </>
          ) : (
            <>
              {words.over} <Time seconds={at} />
            </>
          ),
      },
      {
        title: words.columns.opened,
        sort: { name: 'opened', of: ({ openings }) => openings },
        cell: (share) => <Openings share={share} />,
      },
    ],
    actions: (share) => [
      {
        label: isOfAll
          ? fill(words.endOfUser, { share: shareName(share), user: share.made_by })
          : fill(words.endOf, { share: shareName(share) }),
        name: words.endNow,
        danger: true,
        onClick: () => onEnd(share),
      },
    ],
  };
}

function shownText({ kind, cameras }: Share): string {
  return `${text.shares.kinds[kind]}: ${listText(cameras.map(cameraText))}`;
}

function Shown({ share }: { readonly share: Share }) {
  return (
    <>
      {shownText(share)}
      {share.kind === 'camera' && (
        <small class="line">
          {fill(text.shares.periodOf, {
            from: momentText(share.from, true),
            until: momentText(share.until, true),
          })}
        </small>
      )}
    </>
  );
}

function Openings({ share: { openings, last_opened_at: last } }: { readonly share: Share }) {
  const words = text.shares;
  if (openings === 0) return <>{words.neverOpened}</>;
  return (
    <>
      {plural(words.opened, openings)}
      {last !== null && (
        <>
          , {words.lastOpened} <TimeAgo seconds={last} />
        </>
      )}
    </>
  );
}
