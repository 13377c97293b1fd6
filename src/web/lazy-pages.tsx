import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { ApiFailure } from './api-client.ts';
import { LoadFailure } from './notices.tsx';
import { pageOf } from './path-prefix.ts';
import { text } from './text.ts';

const settings = () => import('./settings-pages.ts');
const audit = () => import('./audit-pages.ts');
type SettingsPages = Awaited<ReturnType<typeof settings>>;
type AuditPages = Awaited<ReturnType<typeof audit>>;

// A visit that begins there does not wait for the profile first.
const first = pageOf(location.pathname);
if (/^\/settings\/(?:audit|roles\/)/.test(first)) audit().catch(() => undefined);
else if (first.startsWith('/settings')) settings().catch(() => undefined);

const settingsPage = (name: keyof SettingsPages) =>
  lazy(() => settings().then((pages): ComponentType => pages[name], notLoaded));
const auditPage = (name: keyof AuditPages) =>
  lazy(() => audit().then((pages): ComponentType<{ readonly name?: string }> => pages[name], notLoaded));

export const AuditPage = auditPage('AuditPage');
export const RolePage = auditPage('RolePage');
export const ConfigurationPage = settingsPage('ConfigurationPage');
export const RolesPage = settingsPage('RolesPage');
export const SessionsPage = settingsPage('SessionsPage');
export const TokensPage = settingsPage('TokensPage');
export const UsersPage = settingsPage('UsersPage');
export const ApiPage = lazy(() =>
  import('./api-page.tsx').then((page): ComponentType => page.ApiPage, notLoaded),
);

export const FirstRunPage = lazy(() =>
  import('./first-run-page.tsx').then((page): ComponentType => page.FirstRunPage, notLoaded),
);

export const LivePage = lazy(() =>
  import('./live-page.tsx').then(
    (page): ComponentType<{ readonly camera?: string }> => page.LivePage,
    notLoaded,
  ),
);

/** In place of a page whose file did not come. After an upgrade of the gate it has another name: only the whole page knows it. */
function notLoaded(): ComponentType {
  const error = new ApiFailure(0, text.common.noAnswer);
  return () => <LoadFailure what={text.site.page} error={error} onRetry={() => location.reload()} />;
}
