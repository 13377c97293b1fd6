import type { User } from '../../api-client.ts';
import { BulkBar, type Selection } from '../../ui/lists/bulk.tsx';
import { usersFor, type BulkKind } from '../../ui/people/bulk-kinds.ts';
import { text } from '../../text.ts';

/** Actions on several users at once. */
export function BulkPeople(props: {
  readonly selection: Selection;
  readonly users: readonly User[];
  readonly open: (kind: BulkKind) => void;
}) {
  const { selection, users, open } = props;
  const action = (kind: BulkKind, name: string) => ({
    name,
    disabled: usersFor(kind, users).length === 0,
    onClick: () => open(kind),
  });
  return (
    <BulkBar
      selection={selection}
      actions={[
        action('roles', text.users.changeRole),
        usersFor('unblock-all', users).length > 0
          ? action('unblock-all', text.users.unblock)
          : action('block-all', text.users.block),
        { ...action('delete-all', text.users.delete), danger: true },
      ]}
    />
  );
}
