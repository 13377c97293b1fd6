import { Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { AppError } from '../../errors.ts';
import type { UiAsset } from './ui-files.ts';
import type { ApiDependencies } from '../dependencies.ts';
import type { ApiContext, ApiEnvironment } from '../request-context.ts';
import { innerPages, sharedPages } from '../own-paths.ts';

/** What anybody may load: the login page, and the code and style of the UI, which are no secret. */
export function publicUiRoutes(dependencies: ApiDependencies) {
  return new Hono<ApiEnvironment>()
    .get('/login', (c) => page(dependencies, c.env.path))
    .get('/postern/assets/:name', (c) => {
      const found = dependencies.ui?.assets.get(c.env.path);
      if (found === undefined) throw new AppError('not_found');
      return asset(found, codingFor(c));
    });
}

/** The pages behind the gate; the middleware before them has asked who it is. */
export function innerUiRoutes(dependencies: ApiDependencies) {
  const app = new Hono<ApiEnvironment>();
  for (const path of [...innerPages, ...sharedPages]) app.get(path, (c) => page(dependencies, c.env.path));
  return app;
}

/** The client's order of codings says nothing: browsers name gzip first. */
function codingFor(c: ApiContext): string {
  return accepts(c, {
    header: 'Accept-Encoding',
    supports: ['br', 'gzip'],
    default: 'identity',
    match: (sent, { supports, default: none }) =>
      supports.find((coding) => sent.some(({ type, q }) => type === coding && q > 0)) ?? none,
  });
}

function asset({ type, plain, gzip, br }: UiAsset, coding: string): Response {
  return new Response(coding === 'br' ? br : coding === 'gzip' ? gzip : plain, {
    headers: {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
    },
  });
}

function page(dependencies: ApiDependencies, path: string): Response {
  const found = uiPage(dependencies, path);
  if (found === undefined) throw new AppError('not_found');
  return found;
}

/**
 * index.html, with links to the assets that lead there from the path, below whatever prefix a front has put it.
 * @returns undefined when the UI was not built
 */
export function uiPage(
  { ui, settings, hasSharedPages }: ApiDependencies,
  path: string,
  status = 200,
): Response | undefined {
  if (ui === undefined) return undefined;
  const up = '../'.repeat(path.split('/').length - 2) || './';
  const text = ui.page
    .replaceAll('"./postern/', `"${up}postern/`)
    .replace('data-shared-pages="yes"', `data-shared-pages="${hasSharedPages ? 'yes' : 'no'}"`);
  return new Response(text, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': contentSecurityPolicy(settings.logoutUrl),
      'x-content-type-options': 'nosniff',
      // With `no-referrer` the Logout form would come from the origin `null`, which is another site's.
      'referrer-policy': 'same-origin',
    },
  });
}

/** Browsers hold `form-action` against redirects too: the Logout form may end where logout_url leads. */
function contentSecurityPolicy(logoutUrl: string | undefined): string {
  const origin = URL.parse(logoutUrl ?? '')?.origin;
  const elsewhere = origin === undefined ? '' : ` ${origin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `form-action 'self'${elsewhere}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}
