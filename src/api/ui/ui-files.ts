import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages, type Language } from '../../language/language.ts';

/** A hashed file of the UI, in the encodings that the build has made; each is read when it is first asked for. */
export interface UiAsset {
  readonly type: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  /** Undefined for a file that compression does not make smaller, such as a picture. */
  readonly gzip: Uint8Array<ArrayBuffer> | undefined;
  readonly br: Uint8Array<ArrayBuffer> | undefined;
}

/** The built UI: no file can be requested that was not there at the start. */
export interface UiFiles {
  /** index.html of each language; its links to assets begin with `./` */
  readonly pages: Readonly<Record<Language, string>>;
  /** Sources of the pages' inline styles, in a Content-Security-Policy. */
  readonly styleSources: string;
  /** Of each language: the scripts of a page that come after the first one, by its path below `/postern`. Their links begin with `./` */
  readonly pageScripts: Readonly<Record<Language, Readonly<Record<string, readonly string[]>>>>;
  /** The page of the wall, likewise. */
  readonly screens: Readonly<Record<Language, string>>;
  /** By path: `/postern/assets/index-….js` */
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

/** @returns undefined when the UI was not built */
export function readUiFiles(directory: string): UiFiles | undefined {
  const pathOf = (language: Language, file: string) => join(directory, language, file);
  // The last file of a build.
  if (!languages.every((language) => existsSync(pathOf(language, 'screen.html')))) return undefined;
  const inEach = (file: string) =>
    Object.fromEntries(
      languages.map((language) => [language, readFileSync(pathOf(language, file), 'utf8')]),
    ) as Record<Language, string>;
  const pages = inEach('index.html');
  const screens = inEach('screen.html');
  const scripts = inEach('page-scripts.json');
  const pageScripts = Object.fromEntries(
    languages.map((language) => [language, JSON.parse(scripts[language]) as unknown]),
  ) as UiFiles['pageScripts'];
  // A file that is the same in every language has the same name.
  const assets = new Map(
    languages.flatMap((language) => readAssets(join(directory, language, 'postern', 'assets'))),
  );
  const styleSources = [...new Set(Object.values(pages).map(styleSourceOf))].join(' ');
  return { pages, styleSources, pageScripts, screens, assets };
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
