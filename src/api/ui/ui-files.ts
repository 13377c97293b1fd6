import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A hashed file of the UI, in the forms that were made when it was built. */
export interface UiAsset {
  readonly type: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
  readonly br: Uint8Array<ArrayBuffer>;
}

/** The built UI, held in memory: what is not here cannot be asked for. */
export interface UiFiles {
  /** index.html; its links to assets begin with `./` */
  readonly page: string;
  /** By path: `/postern/assets/index-….js` */
  readonly assets: ReadonlyMap<string, UiAsset>;
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** @returns undefined when the UI was not built */
export function readUiFiles(directory: string): UiFiles | undefined {
  const page = join(directory, 'index.html');
  if (!existsSync(page)) return undefined;
  const folder = join(directory, 'postern', 'assets');
  const read = (name: string) => new Uint8Array(readFileSync(join(folder, name)));
  const assets = new Map<string, UiAsset>();
  for (const name of readdirSync(folder)) {
    const type = types[name.split('.').at(-1) ?? ''];
    if (type === undefined) continue;
    assets.set(`/postern/assets/${name}`, {
      type,
      plain: read(name),
      gzip: read(`${name}.gz`),
      br: read(`${name}.br`),
    });
  }
  return { page: readFileSync(page, 'utf8'), assets };
}
