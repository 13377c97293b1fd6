import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readUiFiles } from '../../src/api/ui/ui-files.ts';
import { languages } from '../../src/language/language.ts';
import { projectRoot } from '../support/start-gateway.ts';

const files = readUiFiles(join(projectRoot, 'dist', 'web'));

describe.each(languages)('the UI in %s', (language) => {
  const page = files?.pages[language] ?? '';
  const asked = [...page.matchAll(/(?:src|href)="\.(\/postern\/assets\/[^"]+)"/g)].map(
    ([, path]) => path ?? '',
  );

  test.each(['br', 'gzip'] as const)('is at most 60 KiB as %s until a page is there', (form) => {
    const sizes = asked.map((path) => files?.assets.get(path)?.[form].length ?? Infinity);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(60 * 1024);
  });

  test('loads one script, one style and the icon with the page', () => {
    expect(asked.map((path) => path.replace(/-[\w-]+\./, '.')).sort()).toEqual([
      '/postern/assets/gate.svg',
      '/postern/assets/index.css',
      '/postern/assets/index.js',
    ]);
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
