import type { ComponentChildren } from 'preact';
import type { Role } from '../../api-client.ts';
import { countedUsers } from '../../ui/roles/counted-users.ts';
import { Declared, RoleTimes } from './role-facts.tsx';
import { rolePath } from '../../ui/roles/role-path.ts';
import { badgesOf, type RowContent } from '../../ui/lists/row.tsx';
import { text } from '../../text.ts';

export function builtInRow(name: string, means: string, users: number): RowContent {
  return {
    key: name,
    isNarrow: true,
    title: name,
    aside: <small>{countedUsers(users)}</small>,
    facts: [means],
    more: <WhatItSees role={name} />,
    status: text.roles.builtIn,
  };
}

interface Circumstances {
  readonly users: number;
  /** The state of the role at the recorder. */
  readonly state: ComponentChildren;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

export function customRow(role: Role, { users, state, onEdit, onDelete }: Circumstances): RowContent {
  const { name, cameras, declared = false } = role;
  return {
    key: name,
    title: name,
    aside: <small>{countedUsers(users)}</small>,
    badges: cameras.length === 0 ? <small>{text.roles.noCameras}</small> : badgesOf(cameras),
    more: (
      <>
        <RoleTimes role={role} />
        {state}
        <Declared role={role} />
        <WhatItSees role={name} />
      </>
    ),
    ...(declared
      ? { status: text.roles.declared }
      : {
          actions: [
            { label: text.roles.editOf(name), name: text.roles.edit, onClick: onEdit },
            { label: text.roles.deleteOf(name), name: text.roles.delete, danger: true, onClick: onDelete },
          ],
        }),
  };
}

function WhatItSees({ role }: { readonly role: string }) {
  return (
    <p class="row-link">
      <a href={rolePath(role)}>{text.roles.whatItSees(role)}</a>
    </p>
  );
}
