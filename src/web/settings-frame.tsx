import type { ComponentChildren } from 'preact';
import { to } from './base-path.ts';
import { EmptyState } from './notices.tsx';
import { useProfile } from './profile.ts';
import { usePageTitle } from './use-page-title.ts';

/** What the pages of Settings have around them; who is no admin gets a page that says so. */
export function SettingsFrame(props: {
  readonly page: 'users' | 'roles';
  readonly children: ComponentChildren;
}) {
  usePageTitle(props.page === 'users' ? 'Users' : 'Roles');
  const { role } = useProfile();
  if (role !== 'admin') {
    return (
      <EmptyState title="Settings are for admins">
        <p>
          Your role is <strong>{role}</strong>. Ask an admin to change something here.
        </p>
        <a href={to('/')} target="_top">
          To the start page
        </a>
      </EmptyState>
    );
  }
  return (
    <>
      <h1>Settings</h1>
      <nav class="tabs" aria-label="Settings">
        <a href={to('/settings/users')} aria-current={props.page === 'users' ? 'page' : undefined}>
          Users
        </a>
        <a href={to('/settings/roles')} aria-current={props.page === 'roles' ? 'page' : undefined}>
          Roles
        </a>
      </nav>
      {props.children}
    </>
  );
}

/** Somebody must be left who can manage users. */
export const lastAdminReason =
  'The last admin must stay an admin and cannot be deleted: make another user admin first.';
