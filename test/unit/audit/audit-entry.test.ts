import { assert, integer, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { boundEntry, pathOf, plainText } from '../../../src/audit/audit-entry.ts';
import { anyCodePoint } from '../../support/any-code-point.ts';

test.each<[what: string, text: string, plain: string]>([
  ['an end of a line', 'olaf\n{"event":"login"}', String.raw`olaf\u{a}{"event":"login"}`],
  ['an escape of a terminal', '\u001b[2Jolaf', String.raw`\u{1b}[2Jolaf`],
  ['an escape in one character', '\u009b2J', String.raw`\u{9b}2J`],
  ['an override of the direction', 'a\u202Egpj.exe', String.raw`a\u{202e}gpj.exe`],
  ['what cannot be seen', 'ad\u200bmin', String.raw`ad\u{200b}min`],
  ['a separator of lines', 'a\u2028b\u2029c', String.raw`a\u{2028}b\u{2029}c`],
  ['half of a pair', 'a\ud83d', 'a\ufffd'],
  ['an ordinary name', 'Jürgen 🔑 @home', 'Jürgen 🔑 @home'],
])('%s is written out', (_, text, plain) => {
  expect(plainText(text, 256)).toBe(plain);
});

test('whatever the text: what comes of it is short, well-formed and in one line of visible characters', () => {
  const text = string({ unit: anyCodePoint, maxLength: 400 });
  assert(
    property(text, integer({ min: 4, max: 300 }), (text, most) => {
      const plain = plainText(text, most);
      expect(plain.length).toBeLessThanOrEqual(most);
      expect(plain.isWellFormed()).toBe(true);
      expect(plain).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      expect(plainText(plain, most)).toBe(plain);
    }),
  );
});

test('limits each text to its column, and each list', () => {
  const long = 'x'.repeat(70_000);
  const entry = boundEntry({
    event: 'refused',
    user: long,
    role: long,
    source: long,
    address: long,
    object: long,
    reason: long,
    decision: long,
    detail: { cause: long, cameras: Array.from({ length: 5_000 }, () => long), count: 7 },
  });
  expect(JSON.stringify(entry).length).toBeLessThan(30_000);
  expect(entry.user).toBe(`${'x'.repeat(255)}…`);
  const cameras = entry.detail?.['cameras'] as string[];
  expect(cameras).toHaveLength(101);
  expect(cameras.at(-1)).toBe('… and 4900 more');
  expect(entry.detail?.['count']).toBe(7);
});

test('an empty text is unknown', () => {
  expect(boundEntry({ event: 'refused', user: '', address: '' })).toEqual({
    event: 'refused',
    detail: undefined,
  });
});

test.each<[target: string | undefined, path: string | undefined]>([
  [undefined, undefined],
  ['/api/x', '/api/x'],
  ['/api/x?token=s3cret', '/api/x'],
  ['/api/x#s3cret', '/api/x'],
  ['/api/x;jsessionid=s3cret', '/api/x'],
  ['/api/x%3Ftoken=s3cret', '/api/x'],
  ['/api/x%253ftoken=s3cret', '/api/x'],
  ['/api/x%25253ftoken=s3cret', '/api/x'],
  ['http://user:s3cret@gate/api/x', '/api/x'],
  ['http://user:s3cret@gate', ''],
  ['/a?b\n?s3cret', '/a'],
])('%s has the path %s', (target, path) => {
  expect(pathOf(target)).toBe(path);
});
