import type { Authenticate } from '../../access/authentication/authenticate.ts';
import { AppError } from '../../errors.ts';
import { contextOf } from '../../http/fronts/client.ts';
import { displayOf } from '../../language/display.ts';
import { languageOf } from '../../language/language.ts';
import { undocumentedEndpoint } from '../../api/endpoint.ts';
import type { ApiContext, RequestFacts } from '../../api/environment.ts';
import { inHouse, linksFrom, page, pageHeaders, type UiDependencies } from '../../api/ui/ui-routes.ts';

interface ScreenPagesDependencies {
  readonly pages: UiDependencies;
  readonly authenticateSession: Authenticate;
}

/** The page of a screen that shows cameras and nothing else. Public: it shows what the gate answers its script. */
export const showWallPage = undocumentedEndpoint({
  method: 'get',
  path: '/postern/wall',
  level: 'public',
  handle:
    ({ pages }: ScreenPagesDependencies) =>
    (c) =>
      screenPage(pages, c.env),
});

/**
 * On a screen, the page that shows a pairing code once someone asks for it. With a code, and for users who are signed in, it is the page of
 * the app on which they approve a screen, and no other site may frame that.
 */
export const showPairPage = undocumentedEndpoint({
  method: 'get',
  path: '/postern/pair',
  level: 'public',
  handle: (dependencies: ScreenPagesDependencies) => async (c) => {
    const { pages } = dependencies;
    if (pages.settings.mode === 'proxy') throw new AppError('authentication_disabled');
    const isToApprove =
      c.req.query('code') !== undefined ||
      (c.req.query('screen') === undefined && !isInFrame(c) && (await isSignedIn(c, dependencies)));
    return isToApprove ? page(pages, c.env) : screenPage(pages, c.env);
  },
});

/** Browsers send either both of these headers or, over plain HTTP, none. */
function isInFrame(c: ApiContext): boolean {
  const destination = c.req.header('sec-fetch-dest');
  return destination === undefined
    ? c.req.header('sec-fetch-mode') !== undefined
    : destination !== 'document';
}

async function isSignedIn(
  c: ApiContext,
  { authenticateSession, pages }: ScreenPagesDependencies,
): Promise<boolean> {
  const found = await authenticateSession(contextOf(c.env, pages.settings));
  return 'session' in found && found.session !== undefined;
}

/** @throws AppError `not_found` when the UI was not built */
function screenPage(
  { ui, settings }: UiDependencies,
  { path, incoming }: Pick<RequestFacts, 'path' | 'incoming'>,
): Response {
  if (ui === undefined) throw new AppError('not_found');
  const { language: chosen } = displayOf(incoming.headers.cookie);
  const language = languageOf(incoming.headers['accept-language'], chosen);
  const text = linksFrom(path, inHouse(ui.screens[language], settings.house));
  return new Response(text, { headers: pageHeaders(language, settings, settings.frameAncestors) });
}
