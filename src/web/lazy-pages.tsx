import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { ApiFailure } from './api-client.ts';
import { LoadFailure } from './ui/notices.tsx';
import { text } from './text.ts';

/** The parts of the path that a page uses. */
type Page = ComponentType<{ readonly name?: string; readonly camera?: string }>;

/** Pages loaded on demand, by path. A visit that begins on one of them preloads it: `src/api/ui/ui-files.ts`. */
const pages = {
  '/account': () => import('./pages/account/account-page.tsx').then(({ AccountPage }): Page => AccountPage),
  '/account/shares': () =>
    import('./pages/shares/shares-page.tsx').then(({ OwnSharesPage }): Page => OwnSharesPage),
  '/cameras': () => import('./pages/live/camera-page.tsx').then(({ CameraPage }): Page => CameraPage),
  '/settings/as': () => import('./pages/view-as/view-as-page.tsx').then(({ ViewAsPage }): Page => ViewAsPage),
  '/events': () => import('./pages/event/event-page.tsx').then(({ EventPage }): Page => EventPage),
  '/first-run': () =>
    import('./pages/first-run/first-run-page.tsx').then(({ FirstRunPage }): Page => FirstRunPage),
  '/settings/appearance': () =>
    import('./pages/appearance/appearance-page.tsx').then(({ AppearancePage }): Page => AppearancePage),
  '/settings/audit': () => import('./pages/audit/audit-page.tsx').then(({ AuditPage }): Page => AuditPage),
  '/settings/general': () =>
    import('./pages/general/general-page.tsx').then(({ GeneralPage }): Page => GeneralPage),
  '/settings/notifications': () =>
    import('./pages/notifications/notifications-page.tsx').then(
      ({ NotificationsPage }): Page => NotificationsPage,
    ),
  '/ask': () => import('./pages/ask/ask-page.tsx').then(({ AskPage }): Page => AskPage),
  '/watched': () => import('./pages/watched/watched-page.tsx').then(({ WatchedPage }): Page => WatchedPage),
  '/settings/access': () =>
    import('./pages/roles/access-page.tsx').then(({ AccessPage }): Page => AccessPage),
  '/settings/displays': () =>
    import('./pages/displays/displays-page.tsx').then(({ DisplaysPage }): Page => DisplaysPage),
  '/invite': () => import('./pages/invite/invite-page.tsx').then(({ InvitePage }): Page => InvitePage),
  '/people': () => import('./pages/people/people-page.tsx').then(({ PeoplePage }): Page => PeoplePage),
  '/person': () => import('./pages/person/person-page.tsx').then(({ PersonPage }): Page => PersonPage),
  '/pair': () => import('./pages/pair/pair-page.tsx').then(({ PairPage }): Page => PairPage),
  '/settings/recorder': () =>
    import('./pages/recorder/recorder-page.tsx').then(({ RecorderPage }): Page => RecorderPage),
  '/settings/role': () => import('./pages/roles/role-page.tsx').then(({ RolePage }): Page => RolePage),
  '/settings/sessions': () =>
    import('./pages/sessions/sessions-page.tsx').then(({ SessionsPage }): Page => SessionsPage),
  '/settings/shares': () =>
    import('./pages/shares/shares-page.tsx').then(({ SharesPage }): Page => SharesPage),
  '/settings/tokens': () =>
    import('./pages/tokens/tokens-page.tsx').then(({ TokensPage }): Page => TokensPage),
  '/settings/why': () => import('./pages/why/why-page.tsx').then(({ WhyPage }): Page => WhyPage),
  '/share': () => import('./pages/share/share-page.tsx').then(({ SharePage }): Page => SharePage),
};

const page = (path: keyof typeof pages) => lazy(() => pages[path]().catch(notLoaded));

export const AccessPage = page('/settings/access');
export const AccountPage = page('/account');
export const AppearancePage = page('/settings/appearance');
export const AskPage = page('/ask');
export const AuditPage = page('/settings/audit');
export const CameraPage = page('/cameras');
export const WatchedPage = page('/watched');
export const GeneralPage = page('/settings/general');
export const NotificationsPage = page('/settings/notifications');
export const DisplaysPage = page('/settings/displays');
export const EventPage = page('/events');
export const FirstRunPage = page('/first-run');
export const InvitePage = page('/invite');
export const OwnSharesPage = page('/account/shares');
export const PairPage = page('/pair');
export const RecorderPage = page('/settings/recorder');
export const PeoplePage = page('/people');
export const PersonPage = page('/person');
export const RolePage = page('/settings/role');
export const SessionsPage = page('/settings/sessions');
export const SharePage = page('/share');
export const SharesPage = page('/settings/shares');
export const TokensPage = page('/settings/tokens');
export const ViewAsPage = page('/settings/as');
export const WhyPage = page('/settings/why');

/**
 * Shown when a page's file is missing. After an upgrade of Postern the file has another name, which only a full page
 * load finds.
 */
function notLoaded(): Page {
  const error = new ApiFailure(0, text.progress.noAnswer);
  return () => <LoadFailure what={text.site.page} error={error} onRetry={() => location.reload()} />;
}
