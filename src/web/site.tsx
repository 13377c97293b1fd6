import { Route, Router, useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { AccountPage } from './account-page.tsx';
import { accountApi, bodyOf, messageOf } from './api-client.ts';
import { hasFrontPages, to, withoutBase } from './base-path.ts';
import { retryDeparture } from './departure.ts';
import { ExplorePage } from './explore-page.tsx';
import { LoginPage } from './login-page.tsx';
import { EmptyState, Loading } from './notices.tsx';
import { isAnonymous, ProfileContext, type Profile } from './profile.ts';
import { RolesPage } from './roles-page.tsx';
import { SiteHeader } from './site-header.tsx';
import { useLoaded } from './use-loaded.ts';
import { UsersPage } from './users-page.tsx';

/** The login page asks nobody's profile: there is none yet. */
export function Site() {
  return withoutBase(useLocation().path) === '/login' ? <LoginPage /> : <InnerSite />;
}

// A tab that was away for so long asks whether its session is still good.
const stale = 60_000;

function InnerSite() {
  const [profile, reload] = useLoaded<Profile>(() => bodyOf(accountApi.profile.$get()));
  useEffect(() => {
    let asked = Date.now();
    const onVisible = () => {
      if (document.visibilityState !== 'visible' || Date.now() - asked < stale) return;
      asked = Date.now();
      reload();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, []);

  if (profile.kind === 'loading') return <Loading what="your profile" />;
  if (profile.kind === 'failed') {
    return (
      <main class="container narrow">
        <EmptyState title="You cannot be let in" alert>
          <p>{messageOf(profile.error)}</p>
          <button type="button" onClick={retryDeparture}>
            Try again
          </button>
        </EmptyState>
      </main>
    );
  }
  return (
    <ProfileContext.Provider value={profile.value}>
      <SiteHeader />
      <main class="container" id="main" tabIndex={-1}>
        <Router>
          <Route path={to('/')} component={hasFrontPages ? ExplorePage : NothingHere} />
          <Route path={to('/explore')} component={ExplorePage} />
          <Route path={to('/account')} component={AccountPage} />
          <Route path={to('/settings')} component={UsersPage} />
          <Route path={to('/settings/users')} component={UsersPage} />
          <Route path={to('/settings/roles')} component={RolesPage} />
          <Route default component={NothingHere} />
        </Router>
      </main>
      {isAnonymous(profile.value) && (
        <footer class="container edge">
          <small>Internal port: everybody who reaches it is admin.</small>
        </footer>
      )}
    </ProfileContext.Provider>
  );
}

function NothingHere() {
  return (
    <EmptyState title="There is no such page">
      <a href={to('/')} target="_top">
        To the start page
      </a>
    </EmptyState>
  );
}
