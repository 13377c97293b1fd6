import type { Language } from '../../language/language.ts';
import { ownBase } from '../own-base.ts';
import type { LaterScripts } from './ui-files.ts';

/** What the first script of a page asks for at once, below the site's path prefix. */
function firstAnswers(path: string): readonly string[] {
  if (path === '/login') return ['/api/login'];
  const ofHome = path === `${ownBase}/` ? [`${ownBase}/api/attention`] : [];
  return ['/api/profile', ...ofHome];
}

/** The page in `page-scripts.json` that a path shows. */
function pageAt(path: string): string {
  return path
    .slice(ownBase.length)
    .replace(/^\/settings\/?$/, '/settings/users')
    .replace(/^\/settings\/access\/.+/, '/settings/role')
    .replace(/^\/(events|invite|live|share)\/.+/, '/$1');
}

/**
 * Links by which a browser loads all that a page begins with in one go: otherwise each comes a round trip after the one before, the page's
 * own scripts, its texts and its answers after the first script.
 * @param isOpen whether visitors without an account open it: then no answer is theirs
 */
export function preloadsOf(
  path: string,
  language: Language,
  { pages, languages }: LaterScripts,
  isOpen: boolean,
): string {
  const up = '../'.repeat(path.split('/').length - 2) || './';
  const ofPage = Object.hasOwn(pages, pageAt(path)) ? (pages[pageAt(path)] ?? []) : [];
  const answers = isOpen ? [] : firstAnswers(path);
  // The answers first: with HTTP/1.1 no more than six requests are under way.
  return [
    ...answers.map((answer) => `<link rel="preload" as="fetch" crossorigin href="${up}${answer.slice(1)}">`),
    ...[...languages[language], ...ofPage].map(
      (script) => `<link rel="modulepreload" crossorigin href="${script}">`,
    ),
  ].join('');
}
