import { expect, test } from 'vitest';
import { problemText, resolve } from './resolve-document.ts';

test.each<[what: string, given: unknown, result: readonly string[]]>([
  ['none', undefined, []],
  ['null', null, []],
  ['https', ['https://home.example'], ['https://home.example']],
  ['a port', ['https://home.example:8123'], ['https://home.example:8123']],
  [
    'http at loopback',
    ['http://localhost:8123', 'http://127.0.0.1'],
    ['http://localhost:8123', 'http://127.0.0.1'],
  ],
])('takes %s', (_, frame_ancestors, result) => {
  expect(resolve({ frame_ancestors }).frameAncestors).toEqual(result);
});

test.each([
  'home.example',
  'http://home.example',
  'https://home.example/',
  'https://home.example/lovelace',
  'https://HOME.example',
  'https://home.example:443',
  'https://user@home.example',
  'https://*.home.example',
  'https://a;script-src',
  "https://'self'",
  'https://a,b',
  'https://a b',
  '*',
  'null',
  "'self'",
  'data:',
  '',
])('refuses %j', (origin) => {
  expect(problemText({ frame_ancestors: [origin] })).toMatch(
    /^frame_ancestors\[?\.?0\]?: .*an https origin without a path/,
  );
});
