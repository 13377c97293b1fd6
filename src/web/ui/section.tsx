import { Fragment, type ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { gatePath } from '../path-prefix.ts';
import { isOn, longestShare } from './page-marks.ts';
import { Message } from './notices.tsx';
import { roleText } from './roles/role-access.ts';
import { useProfile } from '../profile.ts';
import { fill, text } from '../text.ts';
import { usePageTitle } from './page-hooks.ts';

/** Pages of Settings, in the order of their places. */
const groups = {
  ways: ['access', 'sessions', 'displays', 'shares', 'tokens'],
  house: ['general', 'appearance', 'notifications', 'audit', 'recorder'],
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

/** The frame of the settings pages. Users who aren't admins get a message instead. */
export function SettingsFrame(props: {
  readonly page: SettingsPage;
  /** Title of a subpage. */
  readonly title?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <AdminsOnly title={props.title ?? text.settings[props.page]}>
      <Settings page={props.page}>{props.children}</Settings>
    </AdminsOnly>
  );
}

/** A page with a title. Users who aren't admins get a message instead. */
export function AdminsOnly(props: { readonly title: string; readonly children: ComponentChildren }) {
  usePageTitle(props.title);
  const { role } = useProfile();
  if (role === 'admin') return <>{props.children}</>;
  return (
    <Message page title={text.settings.adminsOnly}>
      <p>{fill(text.settings.yourRole, { role: roleText(role) })}</p>
      <a href={gatePath('/')}>{text.actions.toStart}</a>
    </Message>
  );
}

function Settings(props: { readonly page: SettingsPage; readonly children: ComponentChildren }) {
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

/** Replaces the links on a phone. */
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

/** A section with its heading, and actions for the whole section. */
export function TitledSection(props: {
  /** Id of the heading. */
  readonly id: string;
  readonly title: string;
  /** It is the page's own title. */
  readonly page?: boolean;
  /** Takes the focus when the focused element is removed. */
  readonly heading?: { current: HTMLHeadingElement | null };
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { id, title, heading, actions, children } = props;
  const Heading = props.page === true ? 'h1' : 'h2';
  return (
    <section aria-labelledby={id}>
      <div class="title-row">
        <Heading id={id} ref={heading ?? null} tabIndex={heading && -1}>
          {title}
        </Heading>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** A name with its value. Null leaves it out. */
export type Fact = readonly [name: string, value: ComponentChildren];

/** @param code whether the names are code */
export function Facts({ facts, code = false }: { readonly facts: readonly Fact[]; readonly code?: boolean }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{code ? <code>{name}</code> : name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
