import type { ComponentChildren } from 'preact';
import { gatePath } from '../path-prefix.ts';
import { Message } from './notices.tsx';
import { useProfile } from '../profile.ts';
import { ServerLink } from './server-link.tsx';
import { longestShare } from './shares/share-limit.ts';
import { text } from '../text.ts';
import { usePageTitle } from './use-page-title.ts';

/** Pages of Settings, in the order of their tabs. */
const pages = ['users', 'roles', 'sessions', 'tokens', 'shares', 'audit', 'configuration'] as const;

const isThere = (page: (typeof pages)[number]) => page !== 'shares' || longestShare > 0;

/** The frame of the settings pages; users who are no admins get a message instead. */
export function SettingsFrame(props: {
  readonly page: (typeof pages)[number];
  /** Title of a subpage. */
  readonly title?: string;
  readonly children: ComponentChildren;
}) {
  usePageTitle(props.title ?? text.settings[props.page]);
  const { role } = useProfile();
  if (role !== 'admin') {
    return (
      <Message page title={text.settings.adminsOnly}>
        <p>{text.settings.yourRole(role)}</p>
        <ServerLink path="/">{text.actions.toStart}</ServerLink>
      </Message>
    );
  }
  return (
    <>
      <h1>{text.settings.title}</h1>
      <nav class="tabs" aria-label={text.settings.title}>
        {pages.filter(isThere).map((page) => (
          <a
            key={page}
            href={gatePath(`/settings/${page}`)}
            aria-current={page === props.page ? 'page' : undefined}
          >
            {text.settings[page]}
          </a>
        ))}
      </nav>
      {props.children}
    </>
  );
}
