import { Fragment, type ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { gatePath } from '../path-prefix.ts';
import { isOn } from './features.ts';
import { Message } from './notices.tsx';
import { useProfile } from '../profile.ts';
import { ServerLink } from './server-link.tsx';
import { longestShare } from './shares/share-limit.ts';
import { fill, text } from '../text.ts';
import { usePageTitle } from './use-page-title.ts';

/** Pages of Settings, in the order of their places. */
const groups = {
  people: ['users', 'access'],
  ways: ['sessions', 'displays', 'shares', 'tokens'],
  house: ['appearance', 'notifications', 'audit'],
} as const;

type SettingsPage = (typeof groups)[keyof typeof groups][number];

const isThere = (page: SettingsPage) => {
  if (page === 'shares') return longestShare > 0;
  if (page === 'tokens') return isOn('api_tokens');
  return page !== 'displays' || isOn('displays');
};

const places = Object.entries(groups).map(([group, pages]) => ({
  group: text.settings.groups[group as keyof typeof groups],
  pages: pages.filter(isThere),
}));

/** The frame of the settings pages; users who are no admins get a message instead. */
export function SettingsFrame(props: {
  readonly page: SettingsPage;
  /** Title of a subpage. */
  readonly title?: string;
  readonly children: ComponentChildren;
}) {
  usePageTitle(props.title ?? text.settings[props.page]);
  const { role } = useProfile();
  if (role !== 'admin') {
    return (
      <Message page title={text.settings.adminsOnly}>
        <p>{fill(text.settings.yourRole, { role })}</p>
        <ServerLink path="/">{text.actions.toStart}</ServerLink>
      </Message>
    );
  }
  return (
    <div class="settings">
      <nav class="places" aria-label={text.settings.title}>
        {places.map(({ group, pages }) => (
          <Fragment key={group}>
            <span>{group}</span>
            {pages.map((page) => (
              <a
                key={page}
                href={gatePath(`/settings/${page}`)}
                aria-current={page === props.page ? 'page' : undefined}
              >
                {text.settings[page]}
              </a>
            ))}
          </Fragment>
        ))}
      </nav>
      <PlaceChoice page={props.page} />
      <div class="place">{props.children}</div>
    </div>
  );
}

/** In place of the links, on a phone. */
function PlaceChoice({ page }: { readonly page: SettingsPage }) {
  const { route } = useLocation();
  return (
    <select
      class="place-choice"
      aria-label={text.settings.title}
      onChange={({ currentTarget }) => route(gatePath(`/settings/${currentTarget.value}`))}
    >
      {places.map(({ group, pages }) => (
        <optgroup key={group} label={group}>
          {pages.map((name) => (
            <option key={name} value={name} selected={name === page}>
              {text.settings[name]}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}
