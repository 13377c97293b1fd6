import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages, type Language } from '../../language/language.ts';

/** A hashed file of the UI, in the encodings that the build has made. */
export interface UiAsset {
  readonly type: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  /** Undefined for a file that compression does not make smaller, such as a picture. */
  readonly gzip: Uint8Array<ArrayBuffer> | undefined;
  readonly br: Uint8Array<ArrayBuffer> | undefined;
}

/** The built UI, in memory: no other file can be requested. */
export interface UiFiles {
  /** index.html of each language; its links to assets begin with `./` */
  readonly pages: Readonly<Record<Language, string>>;
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
  // A file that is the same in every language has the same name.
  const assets = new Map(
    languages.flatMap((language) => readAssets(join(directory, language, 'postern', 'assets'))),
  );
  return { pages, screens, assets };
}

function readAssets(folder: string): ReadonlyArray<readonly [path: string, asset: UiAsset]> {
  const names = new Set(readdirSync(folder));
  // `join` for each of them makes V8 optimise it at the start, with 5 MiB of code that an idle gate has no use for otherwise.
  const read = (name: string) => readFileSync(`${folder}/${name}`);
  const readIfThere = (name: string) => (names.has(name) ? read(name) : undefined);
  return [...names].flatMap((name) => {
    const type = types[name.split('.').at(-1) ?? ''];
    if (type === undefined) return [];
    const asset = { type, plain: read(name), gzip: readIfThere(`${name}.gz`), br: readIfThere(`${name}.br`) };
    return [[`/postern/assets/${name}`, asset] as const];
  });
}
