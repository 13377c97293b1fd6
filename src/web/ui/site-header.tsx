import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { DisplayChoice } from './display-choice.tsx';
import gate from '../gate.svg?inline';
import { gatePath, pageOf, pathTo } from '../path-prefix.ts';
import { hasRecorder } from './has-recorder.ts';
import { isAnonymous, useProfile } from '../profile.ts';
import { text } from '../text.ts';
import { useMenu } from './use-menu.ts';
import { ServerLink } from './server-link.tsx';
import { longestShare } from './shares/share-limit.ts';

/** @param isRestricted only the account page can be opened */
export function SiteHeader({ isRestricted }: { readonly isRestricted: boolean }) {
  return (
    <header class="site">
      <a class="skip" href="#main">
        {text.site.skip}
      </a>
      <nav class="container" aria-label={text.site.navigation}>
        {isRestricted ? (
          <span class="brand">
            <Brand />
          </span>
        ) : (
          <PageLinks />
        )}
        <AccountMenu isRestricted={isRestricted} />
      </nav>
    </header>
  );
}

function PageLinks() {
  const { role } = useProfile();
  const path = pageOf(useLocation().path);
  const current = (prefix: string) => (path.startsWith(prefix) ? 'page' : undefined);
  return (
    <>
      <a class="brand" href={gatePath('/')}>
        <Brand />
      </a>
      <ul>
        <li>
          <a href={gatePath('/')} aria-current={path === '/' ? 'page' : current('/live/')}>
            {text.site.home}
          </a>
        </li>
        <li>
          {hasRecorder ? (
            <ServerLink path="/">{text.site.recorder}</ServerLink>
          ) : (
            <a href={gatePath('/explore')} aria-current={current('/explore')}>
              {text.site.explore}
            </a>
          )}
        </li>
        {role === 'admin' && (
          <li>
            <a href={gatePath('/settings/users')} aria-current={current('/settings')}>
              {text.site.settings}
            </a>
          </li>
        )}
      </ul>
    </>
  );
}

/** The header while the user is still unknown. */
export function HeaderOutline() {
  return (
    <header class="site">
      <div class="container">
        <span class="brand">
          <Brand />
        </span>
      </div>
    </header>
  );
}

function Brand() {
  return (
    <>
      <img src={gate} alt="" width="28" height="28" />
      <strong>Postern</strong>
    </>
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
        <span class="who">
          <span>{profile.username}</span> <small>{profile.role}</small>
        </span>
      </summary>
      <div class="menu">
        <p>
          <strong>{profile.username}</strong>
          <br />
          <small>{text.site.role(profile.role)}</small>
        </p>
        <a href={gatePath('/account')}>{text.site.account}</a>
        {longestShare > 0 && !isRestricted && <a href={gatePath('/account/shares')}>{text.site.shares}</a>}
        <DisplayChoice />
        {!isAnonymous(profile) && (
          <form method="post" action={pathTo('/logout')}>
            <button type="submit">{text.site.logout}</button>
          </form>
        )}
      </div>
    </details>
  );
}
