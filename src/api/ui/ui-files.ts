import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Language, languages } from '../../language/language.ts';
import { texts } from '../../language/texts.ts';
import { ownBase } from '../own-paths.ts';

/** A hashed file of the UI, in the encodings that the build has made; each is read when it is first asked for. */
export interface UiAsset {
  readonly type: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  /** `undefined` for a file that compression does not make smaller, such as a picture. */
  readonly gzip: Uint8Array<ArrayBuffer> | undefined;
  readonly br: Uint8Array<ArrayBuffer> | undefined;
}

/** The scripts of each page, by its path below `/postern`, and of each language. */
export interface LaterScripts {
  readonly pages: Readonly<Record<string, readonly string[]>>;
  readonly languages: Readonly<Record<Language, readonly string[]>>;
}

/** The built UI: no file can be requested that was not there at the start. */
export interface UiFiles {
  /** index.html of each language; its links to assets begin with `./` */
  readonly pages: Readonly<Record<Language, string>>;
  /** Sources of the pages' inline styles, in a Content-Security-Policy. */
  readonly styleSources: string;
  /** Scripts that are loaded after the first one. Their links begin with `./` */
  readonly scripts: LaterScripts;
  /** The page of the wall, in each language. */
  readonly screens: Readonly<Record<Language, string>>;
  /** The files by path: `/postern/assets/index-….js` */
  readonly assets: ReadonlyMap<string, UiAsset>;
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
  webmanifest: 'application/manifest+json',
};

/** @returns undefined if the UI was not built */
export function readUiFiles(directory: string): UiFiles | undefined {
  const read = (file: string) => readFileSync(join(directory, file), 'utf8');
  // The last file of a build.
  if (!existsSync(join(directory, 'screen.html'))) return undefined;
  const index = read('index.html');
  return {
    pages: inEachLanguage(index),
    styleSources: styleSourceOf(index),
    scripts: JSON.parse(read('page-scripts.json')) as LaterScripts,
    screens: inEachLanguage(read('screen.html')),
    assets: new Map(readAssets(join(directory, 'postern', 'assets'))),
  };
}

/** Writes the texts of a language in place of `{{name}}`, on the page of the wall all that it has (`{{screen}}`). */
function inEachLanguage(page: string): Readonly<Record<Language, string>> {
  const written = languages.map((language) => {
    const { site, pairScreen, wall } = texts[language];
    const values = new Map(Object.entries(site));
    values.set('language', language).set('screen', JSON.stringify({ pairScreen, wall }));
    return [
      language,
      page.replace(/\{\{(?:site\.)?(\w+)\}\}/g, (_, name: string) => escaped(values.get(name), name)),
    ];
  });
  return Object.fromEntries(written) as Record<Language, string>;
}

function escaped(text: string | undefined, name: string): string {
  if (text === undefined) throw new Error(`no text ${name}`);
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function styleSourceOf(page: string): string {
  const [, text = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function readAssets(folder: string): ReadonlyArray<readonly [path: string, asset: UiAsset]> {
  const names = new Set(readdirSync(folder));
  return [...names].flatMap((name) => {
    const type = types[name.split('.').at(-1) ?? ''];
    return type === undefined
      ? []
      : [[`/postern/assets/${name}`, assetOf(folder, name, type, names)] as const];
  });
}

/** A gate before another front may never be asked for most of its four hundred files. */
function assetOf(folder: string, name: string, type: string, names: ReadonlySet<string>): UiAsset {
  const known = new Map<string, Buffer<ArrayBuffer>>();
  const read = (file: string) => {
    const found = known.get(file) ?? readFileSync(`${folder}/${file}`);
    known.set(file, found);
    return found;
  };
  const readIfThere = (file: string) => (names.has(file) ? read(file) : undefined);
  return {
    type,
    get plain() {
      return read(name);
    },
    get gzip() {
      return readIfThere(`${name}.gz`);
    },
    get br() {
      return readIfThere(`${name}.br`);
    },
  };
}

/** Calls that the first script of a page makes at once, below the site's path prefix. */
function firstAnswers(path: string): readonly string[] {
  if (path === '/login') return ['/api/login'];
  const ofHome = path === `${ownBase}/` ? [`${ownBase}/api/attention`] : [];
  return ['/api/profile', ...ofHome];
}

/** The page in `page-scripts.json` that a path shows. */
function pageAt(path: string): string {
  return path
    .slice(ownBase.length)
    .replace(/^\/settings\/?$/, '/settings/access')
    .replace(/^\/settings\/users$/, '/people')
    .replace(/^\/people\/.+/, '/person')
    .replace(/^\/settings\/access\/.+/, '/settings/role')
    .replace(/^\/(cameras|events|invite|share)\/.+/, '/$1');
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
