import { codingFor } from '../../http/compress-answers.ts';
import type { HousePicture } from '../../config/house-picture.ts';
import type { OidcConfiguration } from '../../config/configuration.ts';
import { AppError } from '../../errors.ts';
import { contextOf } from '../../http/fronts/client.ts';
import { deviceCookie } from '../../accounts/sessions/session-cookie.ts';
import { formActions } from '../../http/fronts/refusal.ts';
import { displayOf, type Display } from '../../language/display.ts';
import { featureNames, isSwitchedOff, type Features } from '../../policy/features.ts';
import { languageOf, type Language } from '../../language/language.ts';
import { headerValues } from '../../policy/raw-headers.ts';
import { saysBeforeNext } from '../../policy/return-address.ts';
import type { Settings } from '../../access/settings/settings.ts';
import type { House } from '../../access/settings/house.ts';
import type { Passkeys } from '../../accounts/second-factor/passkeys.ts';
import type { Users } from '../../accounts/users/users.ts';
import { undocumentedEndpoint } from '../endpoint.ts';
import { ownBase } from '../own-paths.ts';
import { redirectWithin } from '../request.ts';
import type { ApiContext, RequestFacts } from '../environment.ts';
import { type UiAsset, type UiFiles, preloadsOf } from './ui-files.ts';

export interface UiDependencies {
  /** `undefined` if the UI was not built. */
  readonly ui?: UiFiles | undefined;
  readonly settings: Settings;
  /** `undefined` if there is none. */
  readonly housePicture: HousePicture | undefined;
  /** Whether a recorder's UI is behind the gate. */
  readonly hasRecorder: boolean;
  readonly shareRules: { readonly enabled: boolean; readonly longest: number };
  /** Whether users see made-up events. */
  readonly servesSample: boolean;
  /** `undefined` if there is no provider. */
  readonly signOn: { readonly oidc: Pick<OidcConfiguration, 'automatic'> } | undefined;
}

interface LoginPageDependencies {
  readonly pages: UiDependencies;
  readonly passkeys: Pick<Passkeys, 'arePossible'>;
  readonly users: Pick<Users, 'havePasskeys'>;
}

export const showLoginPage = undocumentedEndpoint({
  method: 'get',
  path: '/login',
  level: 'public',
  handle: (dependencies: LoginPageDependencies) => async (c) => {
    const { pages } = dependencies;
    return withDevice(
      c,
      pages.settings,
      pages.signOn?.oidc.automatic === true && leadsOn(c.env.incoming.url ?? '')
        ? redirectWithin(c, pages.settings, '/postern/oidc/login', 303)
        : page(pages, c.env, await offersPasskeys(dependencies)),
    );
  },
});

/** Whether the page begins with a passkey: only where someone has one. It says nothing about any one user. */
async function offersPasskeys({ pages, passkeys, users }: LoginPageDependencies): Promise<boolean> {
  if (pages.settings.mode !== 'session' || !passkeys.arePossible) return false;
  // The page has to show while the store is away.
  return users.havePasskeys().catch(() => false);
}

/** So that a sign-in with another browser is noticed, the one of this page gets an id. */
function withDevice(c: ApiContext, settings: Settings, answer: Response): Response {
  const { headers, secure } = contextOf(c.env, settings);
  answer.headers.set('set-cookie', deviceCookie(headerValues(headers, 'cookie'), secure));
  return answer;
}

/** Not after a logout, nor when the user chooses another login method. */
function leadsOn(target: string): boolean {
  return !saysBeforeNext(target, 'local') && !saysBeforeNext(target, 'logged-out');
}

/**
 * The page behind every shared link: the secret is in the fragment, which servers do not see. It reveals nothing about the
 * site.
 */
export const showSharePage = undocumentedEndpoint({
  method: 'get',
  path: '/postern/share/:id',
  level: 'public',
  handle: (dependencies: UiDependencies) => (c) => pageOfLink(dependencies, c.env),
});

/** The page behind every invitation. */
export const showInvitePage = undocumentedEndpoint({
  method: 'get',
  path: '/postern/invite/:id',
  level: 'public',
  handle: (dependencies: UiDependencies) => (c) => pageOfLink(dependencies, c.env),
});

function pageOfLink(dependencies: UiDependencies, facts: RequestFacts): Response {
  const found = page(dependencies, facts);
  found.headers.set(
    'content-security-policy',
    contentSecurityPolicy(undefined, dependencies.settings.house, [], dependencies.ui?.styleSources),
  );
  found.headers.set('referrer-policy', 'no-referrer');
  found.headers.set('x-robots-tag', 'noindex, nofollow');
  return found;
}

/** Scripts and styles of the UI, which are public. */
export const sendAsset = undocumentedEndpoint({
  method: 'get',
  path: '/postern/assets/:name',
  level: 'public',
  handle:
    ({ ui }: UiDependencies) =>
    (c) => {
      const found = ui?.assets.get(c.env.path);
      if (found === undefined) throw new AppError('not_found');
      return asset(found, codingFor(c));
    },
});

/** The picture of the house, for everyone. The address stays the same, so browsers ask whether theirs is still current. */
export const sendHousePicture = undocumentedEndpoint({
  method: 'get',
  path: '/postern/picture',
  level: 'public',
  handle:
    ({ housePicture }: UiDependencies) =>
    (c) => {
      if (housePicture === undefined) throw new AppError('not_found');
      const { bytes, type, version } = housePicture;
      const etag = `"${version}"`;
      const headers = {
        etag,
        'cache-control': 'public, no-cache',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      };
      if (c.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers });
      return new Response(bytes, { headers: { ...headers, 'content-type': type } });
    },
});

function asset(found: UiAsset, accepted: 'br' | 'gzip' | undefined): Response {
  const coded = accepted === undefined ? undefined : found[accepted];
  return new Response(coded ?? found.plain, {
    headers: {
      'content-type': found.type,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      ...(coded === undefined || accepted === undefined ? {} : { 'content-encoding': accepted }),
    },
  });
}

/** @throws AppError `not_found` when the UI was not built */
export function page(dependencies: UiDependencies, facts: RequestFacts, withPasskeys = false): Response {
  const found = uiPage(dependencies, facts, 200, withPasskeys);
  if (found === undefined) throw new AppError('not_found');
  return found;
}

/**
 * index.html in the reader's language. Its links to assets are relative to the path, so that they work below any prefix of a
 * front.
 * @returns undefined if the UI was not built
 */
export function uiPage(
  { ui, settings, hasRecorder, servesSample, shareRules }: UiDependencies,
  { path, incoming }: Pick<RequestFacts, 'path' | 'incoming'>,
  status = 200,
  withPasskeys = false,
): Response | undefined {
  if (ui === undefined) return undefined;
  const display = displayOf(incoming.headers.cookie);
  const language = languageOf(incoming.headers['accept-language'], display.language);
  const { features } = settings;
  const kind = kindOf(path, features);
  const scripts = isSwitchedOff(path, features) ? { ...ui.scripts, pages: {} } : ui.scripts;
  const preloads = preloadsOf(path, language, scripts, kind === 'share');
  const written = ui.pages[language].replace('</head>', `${preloads}</head>`);
  const text = linksFrom(path, inHouse(inLook(written, display.look), settings.house))
    .replace('data-sample="no"', `data-sample="${servesSample && kind === 'inner' ? 'yes' : 'no'}"`)
    .replace(
      'data-provider="no"',
      `data-provider="${settings.issuer === undefined || kind === 'share' ? 'no' : 'yes'}"`,
    )
    .replace('data-passkeys="no"', `data-passkeys="${withPasskeys ? 'yes' : 'no'}"`)
    .replace(
      'data-shares="0"',
      `data-shares="${kind === 'inner' && shareRules.enabled ? shareRules.longest / 1000 : 0}"`,
    )
    .replace(
      'data-zone="UTC"',
      showsSchedules(path, features) ? `data-zone="${settings.zone}"` : 'data-zone="UTC"',
    )
    .replace('data-landing="home"', `data-landing="${signsIn(path, kind) ? settings.landing : 'home'}"`)
    .replace('data-off=""', `data-off="${kind === 'inner' ? offOf(features) : ''}"`)
    .replace('data-page="inner"', `data-page="${kind}"`)
    .replace('data-recorder="yes"', `data-recorder="${hasRecorder ? 'yes' : 'no'}"`);
  return new Response(text, { status, headers: pageHeaders(language, settings, [], ui.styleSources) });
}

/** The page with links to assets that work at this path, below any prefix of a front. */
export function linksFrom(path: string, page: string): string {
  const up = '../'.repeat(path.split('/').length - 2) || './';
  return page.replaceAll(`".${ownBase}/`, `"${up}${ownBase.slice(1)}/`);
}

/**
 * @param frames origins whose pages may show this one in a frame; by default none
 * @param styleSources of inline styles, besides those of the house
 */
export function pageHeaders(
  language: Language,
  settings: Pick<Settings, 'logoutUrl' | 'house'>,
  frames: readonly string[] = [],
  styleSources = '',
): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': language,
    'cache-control': 'no-store',
    vary: 'accept-language, cookie',
    'content-security-policy': contentSecurityPolicy(
      settings.logoutUrl,
      settings.house,
      frames,
      styleSources,
    ),
    'x-content-type-options': 'nosniff',
    // With `no-referrer` the Logout form would come from the origin `null`, which is another site's.
    'referrer-policy': 'same-origin',
  };
}

function kindOf(path: string, features: Features): 'login' | 'share' | 'inner' {
  if (path === '/login') return 'login';
  if (isSwitchedOff(path, features)) return 'inner';
  return [`${ownBase}/share/`, `${ownBase}/invite/`].some((base) => path.startsWith(base))
    ? 'share'
    : 'inner';
}

/** Whether a session can begin on this page. Others do not need to know where people land. */
function signsIn(path: string, kind: ReturnType<typeof kindOf>): boolean {
  return kind === 'login' || (kind === 'share' && path.startsWith(`${ownBase}/invite/`));
}

/** The features that are off, with spaces between them. */
function offOf(features: Features): string {
  return featureNames.filter((name) => !features.has(name)).join(' ');
}

/** Strangers learn it from no other page. */
function showsSchedules(path: string, features: Features): boolean {
  return kindOf(path, features) === 'inner' || path.startsWith(`${ownBase}/invite/`);
}

/** The page with the user's theme, from its first paint on. */
function inLook(page: string, look: Display['look']): string {
  if (look === undefined) return page;
  return page
    .replace('<html', `<html data-theme="${look}"`)
    .replace('content="light dark"', `content="${look}"`)
    .replace(
      /media="\(prefers-color-scheme: (\w+)\)"/g,
      (_, of) => `media="${of === look ? 'all' : 'not all'}"`,
    );
}

/** The page with the face of the house. Replacements are functions: a name may have a `$` in it. */
export function inHouse(page: string, { name, hasPicture, style }: House): string {
  const written = name.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return page
    .replace('data-house="Postern"', () => `data-house="${written}"`)
    .replace('<strong>Postern</strong>', () => `<strong>${written}</strong>`)
    .replace('<title>Postern</title>', () => `<title>${written}</title>`)
    .replace('data-picture="no"', `data-picture="${hasPicture ? 'yes' : 'no'}"`)
    .replace('</head>', () => (style === undefined ? '</head>' : `<style>${style.text}</style></head>`));
}

function contentSecurityPolicy(
  logoutUrl: string | undefined,
  { style }: House,
  frames: readonly string[] = [],
  styleSources = '',
): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    ['style-src', "'self'", styleSources, style?.source ?? ''].filter(Boolean).join(' '),
    "font-src 'self'",
    // `blob:`: pictures that scripts fetch, to see the status of a failure; and video that they assemble.
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "manifest-src 'self'",
    `form-action ${formActions(logoutUrl)}`,
    `frame-ancestors ${frames.length === 0 ? "'none'" : frames.join(' ')}`,
    "base-uri 'none'",
  ].join('; ');
}
