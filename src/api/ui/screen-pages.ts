import { AppError } from '../../errors.ts';
import { displayOf } from '../../language/display.ts';
import { languageOf } from '../../language/language.ts';
import { undocumentedEndpoint } from '../endpoint.ts';
import type { RequestFacts } from '../environment.ts';
import { inHouse, linksFrom, page, pageHeaders, type UiDependencies } from './ui-routes.ts';

/** The page of a screen that shows cameras and nothing else. Public: it shows what the gate answers its script. */
export const showWallPage = undocumentedEndpoint({
  method: 'get',
  path: '/postern/wall',
  level: 'public',
  handle: (dependencies: UiDependencies) => (c) => screenPage(dependencies, c.env),
});

/**
 * On a screen, the page that shows a pairing code. With a code it is the page of the app on which a user approves the screen, and no
 * other site may frame that.
 */
export const showPairPage = undocumentedEndpoint({
  method: 'get',
  path: '/postern/pair',
  level: 'public',
  handle: (dependencies: UiDependencies) => (c) => {
    if (dependencies.settings.mode === 'proxy') throw new AppError('authentication_disabled');
    return c.req.query('code') === undefined ? screenPage(dependencies, c.env) : page(dependencies, c.env);
  },
});

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
