import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readUiFiles } from '../../src/api/ui/ui-files.ts';
import { projectRoot } from '../support/start-gateway.ts';

const files = readUiFiles(join(projectRoot, 'dist', 'web'));
const assets = [...(files?.assets ?? [])];

test.each(['br', 'gzip'] as const)('everything that the first load needs is at most 60 KiB as %s', (form) => {
  const code = assets.filter(([path]) => /\.(?:js|css)$/.test(path));
  expect(code.length).toBeGreaterThan(0);
  expect(code.reduce((size, [, asset]) => size + asset[form].length, 0)).toBeLessThanOrEqual(60 * 1024);
});

test('nothing is loaded after the page but one script, one style and the icon', () => {
  expect(assets.map(([path]) => path.replace(/-[\w-]+\./, '.')).sort()).toEqual([
    '/postern/assets/gate.svg',
    '/postern/assets/index.css',
    '/postern/assets/index.js',
  ]);
});

test('the page has no inline script or style', () => {
  expect(files?.page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
});
