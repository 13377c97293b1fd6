import type { ComponentChildren } from 'preact';
import type { Role } from './api-client.ts';
import { countedUsers } from './counted-users.ts';
import { rolePath } from './role-path.ts';
import { Row, RowAction } from './row.tsx';
import { text } from './text.ts';
import { windowText } from './window-text.ts';

export function BuiltInRole(props: {
  readonly name: string;
  readonly means: string;
  readonly users: number;
}) {
  return (
    <Row name={props.name}>
      <div class="row-name">
        <strong>{props.name}</strong> <small>{countedUsers(props.users)}</small>
        <div>
          <small>{props.means}</small>
        </div>
        <WhatItSees role={props.name} />
      </div>
      <div class="row-actions">
        <small>{text.roles.builtIn}</small>
      </div>
    </Row>
  );
}

export function CustomRole(props: {
  readonly role: Role;
  readonly users: number;
  readonly marked: boolean;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  /** What else there is to say of it. */
  readonly children: ComponentChildren;
}) {
  const { name, cameras, declared = false } = props.role;
  return (
    <Row name={name} marked={props.marked}>
      <div class="row-name long">
        <strong>{name}</strong> <small>{countedUsers(props.users)}</small>
        <div class="badges">
          {cameras.length === 0 && <small>{text.roles.noCameras}</small>}
          {cameras.map((camera) => (
            <span class="badge" key={camera}>
              {camera}
            </span>
          ))}
        </div>
        <RoleTimes role={props.role} />
        {props.children}
        <Declared role={props.role} />
        <WhatItSees role={name} />
      </div>
      <div class="row-actions">
        {declared ? (
          <small>{text.roles.declared}</small>
        ) : (
          <>
            <RowAction aria-label={text.roles.editOf(name)} onClick={props.onEdit}>
              {text.roles.edit}
            </RowAction>
            <RowAction danger aria-label={text.roles.deleteOf(name)} onClick={props.onDelete}>
              {text.roles.delete}
            </RowAction>
          </>
        )}
      </div>
    </Row>
  );
}

/** When a role is good; nothing of one that always is. */
export function RoleTimes({ role }: { readonly role: Role }) {
  if (role.window === null) return null;
  return (
    <p class="role-times">
      <small>
        {text.roles.window.title}: {windowText(role.window)}
      </small>
    </p>
  );
}

/** Why a role cannot be changed here; nothing of one that can. */
export function Declared({ role }: { readonly role: Role }) {
  if (role.declared !== true) return null;
  return (
    <div>
      <small>
        {text.roles.declaredHint}
        {role.hides_stored === true && ` ${text.roles.hidesStored}`}
      </small>
    </div>
  );
}

function WhatItSees({ role }: { readonly role: string }) {
  return (
    <p class="row-link">
      <a href={rolePath(role)}>{text.roles.whatItSees(role)}</a>
    </p>
  );
}
