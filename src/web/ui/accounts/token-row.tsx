import type { ApiToken } from '../../api-client.ts';
import { badgesOf, RoleBadge, type RowContent } from '../lists/row.tsx';
import { text } from '../../text.ts';
import { Day, TimeAgo } from '../time.tsx';

/** @param owner in the list of all users */
export function tokenRow(token: ApiToken, owner: string | undefined, onRevoke: () => void): RowContent {
  return {
    key: token.id,
    title: token.name,
    isTyped: true,
    aside: owner !== undefined && <small>{text.tokens.of(owner)}</small>,
    badges: (
      <>
        <RoleBadge role={token.role} />
        {badgesOf(token.cameras ?? [])}
      </>
    ),
    facts: [
      <>
        {text.tokens.addedOn} <Day seconds={token.created_at} />
      </>,
      <Expiry token={token} />,
      <LastUse token={token} />,
    ],
    warning:
      token.state === 'too_wide' &&
      (owner === undefined ? text.tokens.tooWideOwn : text.tokens.tooWide(owner)),
    actions: [
      {
        label: text.tokens.revokeOf(token.name, owner),
        name: text.tokens.revoke,
        danger: true,
        onClick: onRevoke,
      },
    ],
  };
}

function Expiry({ token: { expires_at: at, state } }: { readonly token: ApiToken }) {
  if (at === null) return <>{text.tokens.neverExpires}</>;
  return state === 'expired' ? (
    <strong class="row-warning">
      {text.tokens.expired} <Day seconds={at} />
    </strong>
  ) : (
    <>
      {text.tokens.expires} <Day seconds={at} />
    </>
  );
}

function LastUse({ token: { last_used_at: at, last_used_from: from } }: { readonly token: ApiToken }) {
  if (at === null) return <>{text.tokens.neverUsed}</>;
  return (
    <>
      {text.tokens.lastUsed} <TimeAgo seconds={at} />
      {from !== null && ` ${text.tokens.from(from)}`}
    </>
  );
}
