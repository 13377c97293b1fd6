import { roleText } from './roles/role-text.ts';
import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { DisplayChoice } from './display-choice.tsx';
import { Brand } from './brand.tsx';
import { Icon } from './icon.tsx';
import { gatePath, pageOf, pathTo } from '../path-prefix.ts';
import { hasRecorder } from './has-recorder.ts';
import { isAnonymous, useMay, useProfile } from '../profile.ts';
import { WatchingChip } from './sessions/watching-chip.tsx';
import { fill, text } from '../text.ts';
import { useMenu } from './use-menu.ts';
import { whyPath } from './roles/why-path.ts';
import { ServerLink } from './server-link.tsx';
import { longestShare } from './shares/share-limit.ts';

/** @param isRestricted only the account page can be opened */
export function SiteHeader({ isRestricted }: { readonly isRestricted: boolean }) {
  const isAdmin = useProfile().role === 'admin';
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
          aria-current={path === '/' || path === '/settings/as' ? 'page' : current('/live/')}
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
      {hasRecorder && (
        <li>
          <ServerLink path="/">
            <Icon name="recorder" />
            {text.site.recorder}
          </ServerLink>
        </li>
      )}
      {role === 'admin' && (
        <li>
          <a href={gatePath('/settings/users')} aria-current={current('/settings')}>
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
