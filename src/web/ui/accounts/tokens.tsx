import { apiTokensApi, bodyOf, type ApiToken } from '../../api-client.ts';
import { cameraText, inOrder } from '../cameras/camera-names.ts';
import type { Columns } from '../lists/column-table.tsx';
import { badgesOf, RoleBadge } from '../lists/row.tsx';
import { fill, text } from '../../text.ts';
import { Day, TimeAgo } from '../parts.tsx';
import { FormDialog, type DialogProps } from '../forms/form-dialog.tsx';

/** @param isOfAll tokens of all users, with their owners */
export function tokenColumns(isOfAll: boolean, onRevoke: (token: ApiToken) => void): Columns<ApiToken> {
  const words = text.tokens.columns;
  const revokes = isOfAll ? text.tokens.revokeOfUser : text.tokens.revokeOf;
  return {
    class: 'tokens',
    keyOf: ({ id }) => id,
    nameOf: ({ name }) => name,
    columns: [
      {
        title: words.name,
        isName: true,
        sort: { name: 'name', of: ({ name }) => name },
        cell: (token) => (
          <span class="named">
            <strong dir="auto">{token.name}</strong>
            {token.state === 'too_wide' && (
              <span class="tag danger">
                {isOfAll ? fill(text.tokens.tooWide, { user: token.username }) : text.tokens.tooWideOwn}
              </span>
            )}
          </span>
        ),
      },
      ...(isOfAll
        ? [
            {
              title: words.owner,
              sort: { name: 'owner', of: ({ username }: ApiToken) => username },
              cell: ({ username }: ApiToken) => username,
            },
          ]
        : []),
      {
        title: words.role,
        sort: { name: 'role', of: ({ role }) => role },
        cell: (token) => (
          <span class="badges">
            <RoleBadge role={token.role} />
            {badgesOf(inOrder(token.cameras ?? []).map(cameraText))}
            {badgesOf(token.access?.may?.map((capability) => text.capabilities.names[capability]) ?? [])}
          </span>
        ),
      },
      {
        title: words.added,
        isWide: true,
        sort: { name: 'added', of: ({ created_at: at }) => at },
        cell: ({ created_at: at }) => <Day seconds={at} />,
      },
      {
        title: words.expires,
        sort: { name: 'expires', of: ({ expires_at: at }) => at },
        cell: (token) => <Expiry token={token} />,
      },
      {
        title: words.used,
        sort: { name: 'used', of: ({ last_used_at: at }) => at },
        cell: (token) => <LastUse token={token} />,
      },
    ],
    actions: (token) => [
      {
        label: fill(revokes, { name: token.name, user: token.username }),
        name: text.tokens.revoke,
        danger: true,
        onClick: () => onRevoke(token),
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
      <span class="folded">{text.tokens.expires} </span>
      <Day seconds={at} />
    </>
  );
}

function LastUse({ token: { last_used_at: at, last_used_from: from } }: { readonly token: ApiToken }) {
  if (at === null) return <>{text.tokens.neverUsed}</>;
  return (
    <>
      <span class="folded">{text.tokens.lastUsed} </span>
      <TimeAgo seconds={at} />
      {from !== null && ` ${fill(text.tokens.from, { address: from })}`}
    </>
  );
}

/** @throws ApiFailure */
export async function revokeToken({ id }: ApiToken): Promise<void> {
  await bodyOf(apiTokensApi[':id'].$delete({ param: { id } }));
}

export function RevokeToken({ token, ...dialog }: DialogProps & { readonly token: ApiToken }) {
  return (
    <FormDialog
      title={fill(text.tokens.revokeQuestion, { name: token.name })}
      submit={text.tokens.revokeToken}
      danger
      onSubmit={() => revokeToken(token)}
      {...dialog}
    >
      <p>{fill(text.tokens.revokeMeans, { name: token.name, user: token.username })}</p>
    </FormDialog>
  );
}
