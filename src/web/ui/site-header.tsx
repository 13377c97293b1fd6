import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { roleText } from './roles/role-access.ts';
import { Brand, Icon } from './drawings.tsx';
import { departBySigningOut } from '../departure.ts';
import { numberText } from './words.ts';
import { gatePath, pageOf, pathTo } from '../path-prefix.ts';
import { longestShare } from './page-marks.ts';
import { isAnonymous, useMay, useProfile } from '../profile.ts';
import { fill, text, plural } from '../text.ts';
import { useMenu } from './page-hooks.ts';
import { whyPath } from './roles/role-paths.ts';
import { AddButton } from './people/add-button.tsx';
import { OpenRecorder } from './open-recorder.tsx';
import { displayCookie, displayOf, looks, type Display } from '../../language/display.ts';
import { languages } from '../../language/language.ts';
import { useStreams } from './sessions/use-streams.ts';
import { watchersOf } from './sessions/stream-text.ts';

/** @param isRestricted only the account page can be opened */
export function SiteHeader({ isRestricted }: { readonly isRestricted: boolean }) {
  const isAdmin = useProfile().role === 'admin';
  const isHome = pageOf(useLocation().path) === '/';
  return (
    <header class="site">
      <a class="skip" href="#main">
        {text.site.skip}
      </a>
      {isRestricted ? (
        <span class="brand">
          <Brand />
        </span>
      ) : (
        <>
          <a class="brand" href={gatePath('/')}>
            <Brand />
          </a>
          <nav aria-label={text.site.navigation}>
            <PageLinks />
          </nav>
        </>
      )}
      {isAdmin && !isRestricted && <WatchingChip />}
      {isAdmin && !isRestricted && isHome && <AddButton />}
      <AccountMenu isRestricted={isRestricted} />
    </header>
  );
}

/** On a phone they are tabs at the bottom. */
function PageLinks() {
  const { role } = useProfile();
  const history = useMay('history');
  const path = pageOf(useLocation().path);
  const current = (prefix: string) => (path.startsWith(prefix) ? 'page' : undefined);
  return (
    <ul>
      <li>
        <a
          href={gatePath('/')}
          aria-current={path === '/' || path === '/settings/as' ? 'page' : current('/cameras/')}
        >
          <Icon name="home" />
          {text.site.home}
        </a>
      </li>
      {history && (
        <li>
          <a href={gatePath('/explore')} aria-current={current('/explore') ?? current('/events')}>
            <Icon name="clock" />
            {text.site.explore}
          </a>
        </li>
      )}
      {role === 'admin' && (
        <li>
          <a href={gatePath('/people')} aria-current={current('/people')}>
            <Icon name="people" />
            {text.people.title}
          </a>
        </li>
      )}
      {role === 'admin' && (
        <li>
          <a href={gatePath('/settings/access')} aria-current={current('/settings') ?? current('/watched')}>
            <Icon name="settings" />
            {text.site.settings}
          </a>
        </li>
      )}
    </ul>
  );
}

/** The header while the user is still unknown. */
export function HeaderOutline() {
  return (
    <header class="site">
      <span class="brand">
        <Brand />
      </span>
    </header>
  );
}

function AccountMenu({ isRestricted }: { readonly isRestricted: boolean }) {
  const profile = useProfile();
  const { url } = useLocation();
  const menu = useMenu();
  useEffect(() => {
    if (menu.current) menu.current.open = false;
  }, [url]);
  return (
    <details class="account" ref={menu}>
      <summary>
        <span class="hidden-text">{text.site.accountMenuOf} </span>
        <span class="avatar" aria-hidden="true">
          {profile.username.slice(0, 1).toUpperCase()}
        </span>
        <span class="hidden-text">
          {profile.username} {roleText(profile.role)}
        </span>
      </summary>
      <div class="menu">
        <p>
          <strong>{profile.username}</strong>
          <br />
          <small>{fill(text.site.role, { role: roleText(profile.role) })}</small>
        </p>
        <a href={gatePath('/account')}>{text.site.account}</a>
        {longestShare > 0 && !isRestricted && profile.may.includes('share') && (
          <a href={gatePath('/account/shares')}>{text.site.shares}</a>
        )}
        {profile.role === 'admin' && !isRestricted && <a href={whyPath()}>{text.site.testAccess}</a>}
        {!isRestricted && <OpenRecorder hasHint />}
        <DisplayChoice />
        {!isAnonymous(profile) && (
          <form method="post" action={pathTo('/logout')} onSubmit={departBySigningOut}>
            <button type="submit">{text.site.logout}</button>
          </form>
        )}
      </div>
    </details>
  );
}

/** The user's choice of language and theme. The server reads it, so that the first paint is right. */
function DisplayChoice() {
  const [chosen, setChosen] = useState(() => displayOf(document.cookie));
  const choose = (change: Partial<Display>) => {
    const display = { ...chosen, ...change };
    setChosen(display);
    document.cookie = displayCookie(display, pathTo('') || '/', location.protocol === 'https:');
    // The texts of another language are in another bundle.
    if ('language' in change) location.reload();
    else showLook(display.look);
  };
  return (
    <div class="display-choice">
      <label>
        {text.display.language}
        <select
          value={chosen.language ?? ''}
          onChange={({ currentTarget: { value } }) =>
            choose({ language: languages.find((language) => language === value) })
          }
        >
          <option value="">{text.display.byBrowser}</option>
          {languages.map((language) => (
            <option key={language} value={language} lang={language}>
              {names[language]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {text.display.look}
        <select
          value={chosen.look ?? ''}
          onChange={({ currentTarget: { value } }) => choose({ look: looks.find((look) => look === value) })}
        >
          <option value="">{text.display.bySystem}</option>
          {looks.map((look) => (
            <option key={look} value={look}>
              {text.display.looks[look]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** Applies to this page what the server does to the next one. */
function showLook(look: Display['look']): void {
  const { dataset } = document.documentElement;
  if (look === undefined) delete dataset['theme'];
  else dataset['theme'] = look;
  const colours = document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]');
  for (const [index, of] of looks.entries()) {
    const media = look === undefined ? `(prefers-color-scheme: ${of})` : of === look ? 'all' : 'not all';
    colours[index]?.setAttribute('media', media);
  }
}

/** Each in its own language: a user may read no other. */
const names = { en: 'English', de: 'Deutsch' } as const;

/** Milliseconds: it only counts. */
const pause = 15_000;

/** Shows admins, in the header, how many watch at this moment. */
function WatchingChip() {
  const [state] = useStreams(false, pause);
  const count = watchersOf(state?.open ?? []).length;
  if (count === 0) return null;
  const counted = plural(text.watching.chip, count);
  return (
    <a class="watching-chip" href={gatePath('/settings/sessions')} aria-label={counted}>
      <span class="dot" aria-hidden="true" />
      <span class="on-wide">{counted}</span>
      <span class="on-phone">{numberText(count)}</span>
    </a>
  );
}
