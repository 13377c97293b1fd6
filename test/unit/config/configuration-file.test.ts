import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createConfigurationFile } from '../../../src/config/configuration-file.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';

/** Sets `upstream`. @returns what is in the file then; undefined: there is none */
function setUpstream(
  before: string | undefined,
  check: () => () => void = () => () => undefined,
): string | undefined {
  const directory = temporaryDirectory();
  const path = join(directory, 'config.yml');
  if (before !== undefined) writeFileSync(path, before);
  try {
    createConfigurationFile(directory, check).change((document) =>
      document.set('upstream', 'http://recorder:8971'),
    );
  } catch {
    // Only the content of the file matters here.
  }
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

test.each<[what: string, before: string | undefined, after: string]>([
  ['there is no file', undefined, 'upstream: http://recorder:8971\n'],
  ['the file is empty', '', 'upstream: http://recorder:8971\n'],
  ['nothing but a comment is in it', '# our house\n', '# our house\n\nupstream: http://recorder:8971\n'],
  [
    'other keys stay, and their comments',
    '# our house\nauth:\n  enabled: true # by us\n',
    '# our house\nauth:\n  enabled: true # by us\nupstream: http://recorder:8971\n',
  ],
  [
    'the key is there, with a comment behind it',
    'upstream: "http://former:5000" # in the cellar\ncameras: [ front ]\n',
    'upstream: "http://recorder:8971" # in the cellar\ncameras: [front]\n',
  ],
])('sets a key where %s', (_, before, after) => {
  expect(setUpstream(before)).toBe(after);
});

test('does not write an invalid configuration', () => {
  const refuse = () => {
    throw new Error('no good');
  };
  expect(setUpstream('cameras: [front]\n', refuse)).toBe('cameras: [front]\n');
  expect(setUpstream(undefined, refuse)).toBeUndefined();
});
