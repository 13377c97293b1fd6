import type { ComponentType } from 'preact';
import { ErrorBoundary, Route, Router, useLocation } from 'preact-iso';
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks';
import { profileApi, bodyOf, messageOf, type Profile } from './api-client.ts';
import { gatePath, pageOf, withoutPrefix } from './path-prefix.ts';
import { cameraAddress, keepCameras } from './ui/cameras/camera-names.ts';
import type { FeatureName } from '../policy/features.ts';
import { retryDeparture } from './departure.ts';
import { EventPlace } from './ui/events/event-over.tsx';
import { ExplorePage } from './pages/explore/explore-page.tsx';
import {
  AccessPage,
  AccountPage,
  AppearancePage,
  AskPage,
  GeneralPage,
  NotificationsPage,
  WatchedPage,
  AuditPage,
  CameraPage,
  DisplaysPage,
  EventPage,
  FirstRunPage,
  InvitePage,
  OwnSharesPage,
  PeoplePage,
  PersonPage,
  PairPage,
  RecorderPage,
  RolePage,
  SessionsPage,
  SharePage,
  SharesPage,
  TokensPage,
  ViewAsPage,
  WhyPage,
} from './lazy-pages.tsx';
import { HomePage } from './pages/home/home-page.tsx';
import { LoginPage } from './pages/login/login-page.tsx';
import { isOn } from './ui/page-marks.ts';
import { LoadFailure, Loading, Message, PageLoading } from './ui/notices.tsx';
import { renewPushes } from './ui/own-push.ts';
import { isAnonymous, ProfileContext, RestrictionContext } from './profile.ts';
import { HeaderOutline, SiteHeader } from './ui/site-header.tsx';
import { text } from './text.ts';
import { Toasts, showToast } from './ui/toasts.tsx';
import { useLoaded } from './ui/loading.ts';
import { usePageTitle, useScrollPlace, watchVisible } from './ui/page-hooks.ts';
import { proveBy } from './prove-again.ts';

/** The login page loads no profile: no one has signed in yet. Visitors of a share have none at all. */
export function Site() {
  const path = withoutPrefix(useLocation().path);
  const isShare = path.startsWith('/postern/share/') && isOn('shares');
  const isOfLink = isShare || (path.startsWith('/postern/invite/') && isOn('invitations'));
  return (
    <>
      {path === '/login' ? (
        <LoginPage />
      ) : isOfLink ? (
        <>
          <HeaderOutline />
          <ErrorBoundary>{isShare ? <SharePage /> : <InvitePage />}</ErrorBoundary>
        </>
      ) : (
        <EventPlace>
          <InnerSite />
        </EventPlace>
      )}
      <Toasts />
    </>
  );
}

// Milliseconds: a tab that was hidden for so long checks whether its session is still valid.
const staleAfter = 60_000;

async function readProfile(): Promise<Profile> {
  const profile = await bodyOf(profileApi.index.$get());
  keepCameras(profile);
  return profile;
}

function InnerSite() {
  const [profile, reload] = useLoaded<Profile>(readProfile);
  useEffect(() => {
    let asked = Date.now();
    return watchVisible((isVisible) => {
      if (!isVisible || Date.now() - asked < staleAfter) return;
      asked = Date.now();
      reload();
    });
  }, []);

  useEffect(() => {
    if (profile.kind === 'loaded') void renewPushes();
  }, [profile.kind]);

  const [isRestricted, restrict] = useState(false);
  const [isLoading, setLoading] = useState(false);
  const { path } = useLocation();
  useScrollPlace();
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current !== path) document.getElementById('main')?.focus({ preventScroll: true });
    shown.current = path;
  }, [path]);
  const [broken, tryAgain] = useErrorBoundary((error: unknown) => reportError(error));

  if (broken !== undefined) {
    return (
      <main class="container narrow">
        <LoadFailure what={text.site.page} error={broken} onRetry={tryAgain} />
      </main>
    );
  }
  if (profile.kind === 'loading') {
    return (
      <>
        <HeaderOutline />
        <main class={containerOf(pageOf(path))}>
          <Loading what={text.site.profile} />
        </main>
      </>
    );
  }
  if (profile.kind === 'failed') {
    return (
      <>
        <HeaderOutline />
        <main class="container narrow">
          <Message title={text.site.notOpened} alert page>
            <p>{messageOf(profile.error)}</p>
            <button type="button" onClick={retryDeparture}>
              {text.actions.tryAgain}
            </button>
          </Message>
        </main>
      </>
    );
  }
  return (
    <ProfileContext.Provider value={profile.value}>
      {hasHeader(pageOf(path), profile.value) && <SiteHeader isRestricted={isRestricted} />}
      <main class={containerOf(pageOf(path))} id="main" tabIndex={-1}>
        <RestrictionContext.Provider value={restrict}>
          {isLoading && <PageLoading />}
          <Router onLoadStart={() => setLoading(true)} onLoadEnd={() => setLoading(false)}>
            <Route path={gatePath('/')} component={HomePage} />
            <Route path={gatePath('/cameras/:camera')} component={CameraPage} />
            <Route path={gatePath('/live/:camera')} component={PreviousCameraPage} />
            <Route path={gatePath('/explore')} component={ExplorePage} />
            <Route path={gatePath('/events/:id?')} component={EventPage} />
            <Route path={gatePath('/account')} component={AccountPage} />
            <Route path={gatePath('/account/shares')} component={ifOn('shares', OwnSharesPage)} />
            <Route path={gatePath('/first-run')} component={FirstRunPage} />
            <Route path={gatePath('/people')} component={PeoplePage} />
            <Route path={gatePath('/people/:name')} component={PersonPage} />
            <Route path={gatePath('/settings')} component={AccessPage} />
            <Route path={gatePath('/settings/users')} component={UsersMoved} />
            <Route path={gatePath('/settings/access')} component={AccessPage} />
            <Route path={gatePath('/settings/access/:name')} component={RolePage} />
            <Route path={gatePath('/settings/sessions')} component={SessionsPage} />
            <Route path={gatePath('/settings/shares')} component={ifOn('shares', SharesPage)} />
            <Route path={gatePath('/settings/displays')} component={ifOn('displays', DisplaysPage)} />
            <Route path={gatePath('/pair')} component={ifOn('displays', PairPage)} />
            <Route path={gatePath('/settings/tokens')} component={ifOn('api_tokens', TokensPage)} />
            <Route path={gatePath('/settings/appearance')} component={AppearancePage} />
            <Route path={gatePath('/settings/general')} component={GeneralPage} />
            <Route path={gatePath('/settings/notifications')} component={NotificationsPage} />
            <Route path={gatePath('/ask')} component={ifOn('access_requests', AskPage)} />
            <Route path={gatePath('/settings/recorder')} component={RecorderPage} />
            <Route path={gatePath('/settings/audit')} component={AuditPage} />
            <Route path={gatePath('/watched')} component={WatchedPage} />
            <Route path={gatePath('/settings/why')} component={WhyPage} />
            <Route path={gatePath('/settings/as')} component={ViewAsPage} />
            <Route default component={NothingHere} />
          </Router>
        </RestrictionContext.Provider>
      </main>
      <StepUp />
      {isAnonymous(profile.value) && (
        <footer class="container edge">
          <small>{text.site.internal}</small>
        </footer>
      )}
    </ProfileContext.Provider>
  );
}

/** As wide as the page will be, before its content is there: otherwise it moves. */
function containerOf(page: string): string {
  const isWide = page === '/' || /^\/(?:cameras|people|settings|watched|first-run)(?:\/|$)/.test(page);
  return `container ${isWide ? 'wide' : ''}`;
}

/** The setup has no header for admins, and `/settings/as` shows that of another user. */
function hasHeader(page: string, { role }: Profile): boolean {
  return page !== '/settings/as' && (page !== '/first-run' || role !== 'admin');
}

/** The page of a feature that is off does not exist. */
function ifOn(feature: FeatureName, page: ComponentType): ComponentType {
  return isOn(feature) ? page : NothingHere;
}

/** Leads from the previous address of a camera's page. */
function PreviousCameraPage({ camera = '' }: { readonly camera?: string }) {
  const { route } = useLocation();
  useEffect(() => route(cameraAddress(camera), true), [camera]);
  return null;
}

/** The list of users has become that of people. */
function UsersMoved() {
  const { route } = useLocation();
  useEffect(() => route(gatePath('/people') + location.search, true), []);
  return null;
}

function NothingHere() {
  usePageTitle(text.site.noSuchPage);
  return (
    <Message title={text.site.thereIsNoSuchPage} page>
      <a href={gatePath('/')}>{text.actions.toStart}</a>
    </Message>
  );
}

const loadStepUp = () => import('./ui/sign-in/step-up-dialog.tsx');
type Asked = Awaited<ReturnType<typeof loadStepUp>> & { readonly answer: (isProved: boolean) => void };

/** The place where the user gives a fresh proof, over any page. The dialog is loaded on demand. */
function StepUp() {
  const [asked, setAsked] = useState<Asked>();
  useEffect(() => {
    proveBy(async () => {
      const dialog = await loadStepUp().catch(() => showToast(text.progress.noAnswer));
      if (dialog === undefined) return false;
      return new Promise((resolve) => {
        const answer = (isProved: boolean) => {
          setAsked(undefined);
          resolve(isProved);
        };
        setAsked({ ...dialog, answer });
      });
    });
  }, []);
  return asked === undefined ? null : (
    <asked.StepUpDialog onClose={() => asked.answer(false)} onDone={() => asked.answer(true)} />
  );
}
