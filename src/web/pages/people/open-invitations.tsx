import { ownAccessText } from '../../ui/roles/schedule.ts';
import { bodyOf, invitationsApi, type Invitation } from '../../api-client.ts';
import { fill, text } from '../../text.ts';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { useDialog } from '../../ui/forms/use-dialog.ts';
import type { Columns } from '../../ui/lists/column-table.tsx';
import { RoleBadge } from '../../ui/lists/row.tsx';
import { Table, useRows } from '../../ui/lists/table.tsx';
import { Face } from '../../ui/people/face.tsx';
import { personPath } from '../../ui/roles/role-paths.ts';
import { Time } from '../../ui/parts.tsx';
import { TitledSection } from '../../ui/section.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { listOf, useLoaded } from '../../ui/loading.ts';

const words = text.invitations;
const nameOf = ({ name }: Invitation) => name ?? words.nobody;

/** Invitations that no one has used yet. Nothing appears when there are none. */
export function OpenInvitations() {
  const [state, reload] = useLoaded(() => bodyOf(invitationsApi.index.$get()));
  const [revoked, open, close] = useDialog<Invitation>('invitations');
  const list = listOf(state, (invitations) => invitations);
  const { heading, goes } = useRows(list.items.map(({ id }) => id));
  if (list.items.length === 0) return null;
  return (
    <TitledSection id="invitations" title={words.open} heading={heading}>
      <Table
        what={words.what}
        list={list}
        onRetry={reload}
        empty=""
        caption={words.open}
        shown={columns(open)}
      />
      {revoked !== undefined && (
        <FormDialog
          title={words.revokeQuestion}
          submit={words.revoke}
          danger
          onSubmit={async () => {
            await bodyOf(invitationsApi[':id'].$delete({ param: { id: revoked.id } }));
          }}
          onClose={close}
          onDone={() => {
            goes(revoked.id);
            showToast(words.revoked);
            reload();
          }}
        >
          <p>{words.revokeMeans}</p>
        </FormDialog>
      )}
    </TitledSection>
  );
}

function Invited({ invitation }: { readonly invitation: Invitation }) {
  const { name } = invitation;
  return (
    <span class="named">
      <Face name={name ?? ''} state="invited" size="small" />
      {name === null ? (
        <strong>{words.nobody}</strong>
      ) : (
        <a class="plain" href={personPath(name)} dir="auto">
          <strong>{name}</strong>
        </a>
      )}
    </span>
  );
}

function columns(revoke: (invitation: Invitation) => void): Columns<Invitation> {
  return {
    class: 'invitations',
    keyOf: ({ id }) => id,
    nameOf,
    columns: [
      {
        title: words.columns.name,
        isName: true,
        cell: (invitation) => <Invited invitation={invitation} />,
      },
      {
        title: text.users.columns.sees,
        cell: ({ role, own_access: own }) => (own === null ? <RoleBadge role={role} /> : ownAccessText(own)),
      },
      { title: words.columns.by, cell: ({ made_by: by }) => by },
      { title: words.columns.until, cell: ({ expires_at: at }) => <Time seconds={at} /> },
    ],
    actions: (invitation) => [
      {
        label: fill(words.revokeOf, { who: nameOf(invitation) }),
        name: words.revoke,
        danger: true,
        onClick: () => revoke(invitation),
      },
    ],
  };
}
