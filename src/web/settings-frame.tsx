import type { ComponentChildren } from 'preact';
import { pathTo } from './path-prefix.ts';
import { Message } from './notices.tsx';
import { useProfile } from './profile.ts';
import { ServerLink } from './server-link.tsx';
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
      <Message page title="Settings are for admins">
        <p>
          Your role is <strong>{role}</strong>. Ask an admin to change something here.
        </p>
        <ServerLink path="/">Go to the start page</ServerLink>
      </Message>
    );
  }
  return (
    <>
      <h1>Settings</h1>
      <nav class="tabs" aria-label="Settings">
        <a href={pathTo('/settings/users')} aria-current={props.page === 'users' ? 'page' : undefined}>
          Users
        </a>
        <a href={pathTo('/settings/roles')} aria-current={props.page === 'roles' ? 'page' : undefined}>
          Roles
        </a>
      </nav>
      {props.children}
    </>
  );
}
