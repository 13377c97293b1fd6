import type { ComponentChildren } from 'preact';
import { gatePath } from './path-prefix.ts';
import { Message } from './notices.tsx';
import { useProfile } from './profile.ts';
import { ServerLink } from './server-link.tsx';
import { usePageTitle } from './use-page-title.ts';

/** Pages of Settings, in the order of their tabs. */
const pages = {
  users: 'Users',
  roles: 'Roles',
  sessions: 'Sessions',
  tokens: 'API tokens',
  audit: 'Audit',
  configuration: 'Configuration',
} as const;

type SettingsPage = keyof typeof pages;

/** What the pages of Settings have around them; who is no admin gets a page that says so. */
export function SettingsFrame(props: { readonly page: SettingsPage; readonly children: ComponentChildren }) {
  usePageTitle(pages[props.page]);
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
        {Object.entries(pages).map(([page, title]) => (
          <a
            key={page}
            href={gatePath(`/settings/${page}`)}
            aria-current={page === props.page ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {props.children}
    </>
  );
}
