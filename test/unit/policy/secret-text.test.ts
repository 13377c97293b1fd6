import { describe, expect, test } from 'vitest';
import { hasSecret } from '../../../src/policy/secret-text.ts';

describe('finds a secret in', () => {
  test.each([
    'rtsp://u:p@h/1',
    'rtsp://u:p/ @x@h/1',
    'a=password=x',
    'x?a=1&apikey=2',
    '"token": "1"',
    "my.key-2' : v",
    'Authorization: x',
    '-headers "X: 1"',
    'run --token x',
    "'-my-pass' x",
    'Bearer abcd',
    '-----BEGIN RSA',
    'a.eyJhbGciOiJ.eyJ.x',
  ])('%s', (text) => expect(hasSecret(text)).toBe(true));
});

describe('finds none in', () => {
  test.each([
    '',
    'rtsp://h/1',
    'me@h://',
    'password',
    'key=',
    'key: ',
    '-token',
    'a-token x',
    'eyJ.a.b',
    'monkey bars',
  ])('%s', (text) => expect(hasSecret(text)).toBe(false));
});

describe('a text of a million letters takes little time', () => {
  test.each([
    '://',
    'key',
    '-token',
    'eyJ',
    ' -key',
    'key  ',
    'key"',
    '-',
    'key.',
    'a.eyJ',
    '@://',
    'bearer ',
  ])('%s', (part) => {
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    expect(typeof hasSecret(`-${text}`)).toBe('boolean');
  });
});
