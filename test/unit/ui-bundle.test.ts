import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readUiFiles } from '../../src/api/ui/ui-files.ts';
import { languages } from '../../src/language/language.ts';
import { projectRoot } from '../support/start-gateway.ts';

const files = readUiFiles(join(projectRoot, 'dist', 'web'));

/** What the script of a page may ask for later. */
function laterChunks(page: string): readonly string[] {
  const [, entry = ''] = /src="\.(\/postern\/assets\/[^"]+\.js)"/.exec(page) ?? [];
  const code = Buffer.from(files?.assets.get(entry)?.plain ?? []).toString();
  return [...code.matchAll(/import\(.\.\/([\w-]+\.js)/g)].map(([, name]) => `/postern/assets/${name}`);
}

describe.each(languages)('the UI in %s', (language) => {
  const page = files?.pages[language] ?? '';
  const asked = [...page.matchAll(/(?:src|href)="\.(\/postern\/assets\/[^"]+)"/g)].map(
    ([, path]) => path ?? '',
  );

  test.each([
    ['script', 45, '.js'],
    ['styles', 10, '.css'],
  ])('has %s of at most %s KB as gzip, whichever page is seen first', (_, most, ending) => {
    const sizeOf = (path: string) => files?.assets.get(path)?.gzip?.length ?? Infinity;
    const first = asked.filter((path) => path.endsWith(ending)).map(sizeOf);
    // A page that is loaded when it is asked for.
    const later = Math.max(
      0,
      ...laterChunks(page)
        .filter((path) => path.endsWith(ending))
        .map(sizeOf),
    );
    const sum = first.reduce((total, size) => total + size, later);
    expect(first.length).toBe(1);
    if (ending === '.js') expect(later).toBeGreaterThan(0);
    expect(sum).toBeLessThanOrEqual(most * 1000);
  });

  test('has one script and one style, and icons and a manifest that nobody waits for', () => {
    expect([...new Set(asked.map((path) => path.replace(/-[\w-]{8}\./, '.')))].sort()).toEqual([
      '/postern/assets/app.webmanifest',
      '/postern/assets/apple-touch-icon.png',
      '/postern/assets/gate.svg',
      '/postern/assets/index.css',
      '/postern/assets/index.js',
    ]);
    expect(asked.filter((path) => files?.assets.has(path) !== true)).toEqual([]);
  });

  test('has a page that names its language, without inline script or style', () => {
    expect(page).toContain(`<html lang="${language}"`);
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  });
});

test('every language has its own texts', () => {
  expect(files?.pages.de.match(/index-[\w-]+\.js/)?.[0]).not.toBe(
    files?.pages.en.match(/index-[\w-]+\.js/)?.[0],
  );
});

test('every custom property that a style takes is defined', () => {
  const [, { plain } = { plain: new Uint8Array() }] =
    [...(files?.assets ?? [])].find(([path]) => path.endsWith('.css')) ?? [];
  const style = Buffer.from(plain).toString();
  const defined = new Set([...style.matchAll(/[{;](--[\w-]+):/g)].map(([, name]) => name));
  // What a script sets has another value to fall back to.
  const taken = [...style.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name);
  expect(taken.length).toBeGreaterThan(50);
  expect(taken.filter((name) => !defined.has(name))).toEqual([]);
});
