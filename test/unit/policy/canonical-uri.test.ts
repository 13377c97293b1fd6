import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalUri, resolvedUri } from '../../../src/policy/canonical-uri.ts';
import { anyCodePoint } from '../../support/any-code-point.ts';
import { assertCases } from '../../support/assert-cases.ts';

describe('a URI is decoded once, as nginx does it', () => {
  test.each<[uri: string, path: string, query: string]>([
    ['/', '/', ''],
    ['/api/events', '/api/events', ''],
    ['/clips/', '/clips/', ''],
    ['/api/events?cameras=front&a=%2F..%00', '/api/events', 'cameras=front&a=%2F..%00'],
    ['/a?b?c', '/a', 'b?c'],
    ['/a?', '/a', ''],
    ['/%61pi/c%6Fnfig', '/api/config', ''],
    ['/garten%20s%C3%BCd', '/garten süd', ''],
    ['/garten\u00c3\u00bc', '/gartenü', ''],
    ['/a%3Fb%23c', '/a?b#c', ''],
    ['/100%25', '/100%', ''],
    ['/100%25zz', '/100%zz', ''],
    ['//evil.test//clips///x', '/evil.test/clips/x', ''],
    ['/.well-known/..x/x../...', '/.well-known/..x/x../...', ''],
    ['http://gate.test/clips/a?b', '/clips/a', 'b'],
    ['HTTPS://Gate.Test.:8971/clips/', '/clips/', ''],
    ['http://user:password@[::1]:80//clips', '/clips', ''],
    ['http:///clips', '/clips', ''],
  ])('%j is the path %j', (uri, path, query) => {
    expect(canonicalUri(uri)).toEqual({ path, query });
  });
});

describe('refuses what another server could read differently', () => {
  test.each<[reason: string, uris: readonly string[]]>([
    ['uri_malformed', ['', 'clips', '*', '?a', 'http:/clips', 'http://gate.test', 'mailto:a@b']],
    ['uri_malformed', ['http://x?/clips/', 'http://x#/clips/']],
    ['uri_malformed', ['/a#b', '/a?b#c', '/%', '/%2', '/%zz', '/a%g0']],
    ['uri_malformed', ['/%ff', '/%c0%af', '/%c0%ae%c0%ae/', '/%e0%80%af', '/%ed%a0%80', '/\u00fc']],
    ['uri_control_character', ['/a b', '/a\tb', '/a\0', '/a\r\nb', '/a?b\n', '/\u007f']],
    ['uri_control_character', ['/%00', '/a%0d%0a', '/%1f', '/%7f', '/%c2%85']],
    ['uri_backslash', ['/a\\b', '/\\', '/a?b\\c', '/..\\a']],
    ['uri_encoded_slash', ['/a%2fb', '/a%2Fb', '/..%2f', '/a%5cb', '/%5C']],
    ['uri_double_encoded', ['/%252e%252e/', '/%25%32%65', '/%252f', '/a%2541']],
    ['uri_dot_segment', ['/.', '/..', '/a/./b', '/a/../b', '/a/..', '/../clips/', '/a//..//b']],
    ['uri_dot_segment', ['/%2e%2e/a', '/.%2E/a', '/a/%2e']],
    ['uri_path_parameter', ['/a;b=c/d', '/..;/a', '/..;x=y/a', '/.;/a', '/..%3bx/a', '/a;']],
    ['uri_dot_segment', ['http://gate.test/../clips']],
  ])('%s', (refused, uris) => {
    for (const uri of uris) expect(canonicalUri(uri), JSON.stringify(uri)).toEqual({ refused });
  });
});

const fragment = fc.oneof(
  fc.constantFrom('/', '//', '.', '..', '%2e', '%2F', '%5c', '\\', '%00', '%25', '%', '2e', ';', '?', '#'),
  fc.constantFrom('http://gate.test', '%c0%af', '%c3%a9', '%C2%85', '\u0085', '\u00e9', ' ', 'clips', '%61'),
  fc.string({ maxLength: 3 }),
);
const anyUri = fc.oneof(
  fc.string({ unit: anyCodePoint }),
  fc.array(fragment, { maxLength: 12 }).map((parts) => `/${parts.join('')}`),
  fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join('')),
);
const plainFragment = fc.constantFrom(
  '/',
  '.',
  'a',
  'B',
  '-',
  '_',
  '~',
  '0',
  '?',
  '&',
  '=',
  '|',
  '"',
  '\u0080',
  '\u007e',
);
const almostPlain = fc
  .array(fc.oneof({ weight: 4, arbitrary: plainFragment }, fragment), { maxLength: 12 })
  .map((parts) => `/${parts.join('')}`);
const runs = { numRuns: 5_000 };

test('any input is refused or becomes one clean path', () => {
  assertCases(
    fc.property(anyUri, (uri) => {
      const result = canonicalUri(uri);
      if ('refused' in result) {
        expect(result).toEqual({ refused: expect.stringMatching(/^uri_/) as string });
        return;
      }
      expect(Object.keys(result)).toEqual(['path', 'query']);
      expect(result.path).toMatch(/^\//);
      expect(result.path).not.toMatch(/\/\/|\\|%[0-9a-f]{2}|[\u0000-\u001f\u007f-\u009f]/i);
      expect(result.path.split('/').filter((segment) => /^\.{1,2}(?:;.*)?$/.test(segment))).toEqual([]);
    }),
    runs,
  );
});

test('a canonical path stays the same when encoded and read again', () => {
  assertCases(
    fc.property(fc.oneof(anyUri, almostPlain), (uri) => {
      const first = canonicalUri(uri);
      if ('refused' in first) return;
      const encoded = first.path.split('/').map(encodeURIComponent).join('/');
      expect(canonicalUri(first.query === '' ? encoded : `${encoded}?${first.query}`)).toEqual(first);
    }),
    { ...runs, reaching: 0.2 },
  );
});

test('percent-encoded letters make no difference', () => {
  const plain = fc.stringMatching(/^[a-z0-9_,-]{1,8}(?:\/[a-z0-9_,-]{1,8}){0,3}$/);
  assertCases(
    fc.property(plain, fc.infiniteStream(fc.boolean()), (path, choices) => {
      const encode = (letter: string) =>
        choices.next().value ? `%${letter.charCodeAt(0).toString(16)}` : letter;
      expect(canonicalUri(`/${path.replace(/[^/]/g, encode)}`)).toEqual({ path: `/${path}`, query: '' });
    }),
  );
});

test('a plain URI is read like any other', () => {
  assertCases(
    fc.property(fc.oneof(anyUri, almostPlain), (uri) => {
      expect(canonicalUri(uri)).toEqual(resolvedUri(uri));
    }),
    { numRuns: 20_000 },
  );
});
