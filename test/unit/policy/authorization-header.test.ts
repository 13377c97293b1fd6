import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { basicIn, bearerIn, carriesOwnCredential } from '../../../src/policy/authorization-header.ts';
import { assertCases } from '../../support/assert-cases.ts';
import { basic } from '../../support/basic.ts';

const token = `postern_${'a'.repeat(43)}`;
const base64Of = (text: string) => Buffer.from(text).toString('base64');

test.each<[authorization: string, found: string | undefined]>([
  ['Bearer a.b.c', 'a.b.c'],
  ['bearer \t a', 'a'],
  ['Bearer', ''],
  ['Bearers a', undefined],
  ['Basic YTpi', undefined],
])('the bearer of %j is %j', (authorization, found) => {
  expect(bearerIn(authorization)).toBe(found);
});

describe('the credentials of Basic', () => {
  test.each<[authorization: string, user: string, password: string, isPlain: boolean]>([
    ['Basic YTpi', 'a', 'b', true],
    ['bASIC \t YTpi', 'a', 'b', true],
    [basic('a', 'b:c'), 'a', 'b:c', true],
    [basic('', ''), '', '', true],
    [basic('token', token), 'token', token, true],
    // Not padded, and padded too much.
    ['Basic YTpiYw', 'a', 'bc', true],
    ['Basic YTpi==', 'a', 'b', true],
    ['Basic YTpi===', 'a', 'b', false],
    // Some servers skip such characters, and some stop at them.
    ['Basic YT pi', 'a', 'b', false],
    ['Basic YT\u00e9pi', 'a', 'b', false],
    ['Basic YTpi,', 'a', 'b', false],
    // The alphabet for URLs.
    ['Basic Pzo_', '?', '?', false],
    // A byte each: nothing is UTF-8.
    ['Basic 6To=', '\u00e9', '', true],
  ])('%j', (authorization, user, password, isPlain) => {
    expect(basicIn(authorization)).toEqual({ user, password, isPlain });
  });

  test.each([
    '',
    'Basic',
    'Basic ',
    'Basic YQ==',
    'BasicYTpi',
    'Basic:YTpi',
    'x Basic YTpi',
    'Bearer YTpi',
    `Basic ${token}`,
  ])('%j has none', (authorization) => {
    expect(basicIn(authorization)).toBeUndefined();
  });

  test('are those that were encoded, for any texts', () => {
    assertCases(
      fc.property(
        fc.string({ unit: 'binary-ascii' }),
        fc.string({ unit: 'binary-ascii' }),
        (name, password) => {
          const user = name.replaceAll(':', '');
          expect(basicIn(basic(user, password))).toEqual({ user, password, isPlain: true });
        },
      ),
    );
  });
});

describe('an API token', () => {
  test.each<[authorization: string, carries: boolean]>([
    ['Bearer postern_a', true],
    ['bearer \t postern_', true],
    ['Bearer xpostern_a', false],
    ['Bearer', false],
    [basic('olaf', token), true],
    [basic('', 'postern_'), true],
    [basic('olaf', `x:${token}`), true],
    [basic('olaf', 'secret'), false],
    [basic('postern_service', 'secret'), false],
    [basic('olaf', 'xpostern_a'), false],
    [basic('olaf', 'Postern_a'), false],
    [basic('token', token).replace('cG9z', 'cG9z '), true],
    ['Digest username="postern_a"', false],
    // In the wrong place.
    [token, true],
    [`Token ${token}`, true],
    [`Digest username="${token}"`, true],
    [`Bearer x${token}`, true],
    [`Basic ${token}`, true],
    [basic(token, ''), true],
    [basic(`x${token}`, 'secret'), true],
    [basic('nell', `xx${token}`), true],
    [basic(token, 'secret').replace('cG9z', 'cG9z '), true],
    [`Basic ${base64Of(token)}`, true],
    [`Basic ${base64Of(token).replace(/=+$/, '')}`, true],
    [`Token ${base64Of(token)}`, true],
    [`Token token="${base64Of(`?>?${token}`)}"`, true],
    [base64Of(token), true],
    [basic(token.slice(0, -1), ''), false],
    [token.slice(0, -1), false],
    [token.toUpperCase(), false],
    [`Token ${base64Of(`postern-${'a'.repeat(90)}`)}`, false],
    ['', false],
  ])('in %j: %j', (authorization, carries) => {
    expect(carriesOwnCredential(authorization)).toBe(carries);
  });

  test('is found behind any name', () => {
    assertCases(
      fc.property(fc.string(), (name) => {
        expect(carriesOwnCredential(basic(name, token))).toBe(true);
      }),
    );
  });
});

describe('the token of a session, or the credential of a screen', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const mac = 'm'.repeat(43);
  const session = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: 'olaf', exp: 1 })}.${mac}`;
  const elsewhere = `${part({ typ: 'JWT', alg: 'HS256' })}.${part({ exp: 1, sub: 'olaf' })}.${mac}`;
  const display = `display_0b9a5fe8-3f0c-4a51-9d1b-0123456789ab.12.${mac}`;
  const olderDisplay = `display_${mac}`;

  test.each([session, elsewhere, display, olderDisplay])('%s', (credential) => {
    for (const authorization of [
      basic('olaf', credential),
      basic('', credential),
      basic(credential, ''),
      basic(credential, 'secret'),
      basic(`x${credential}`, ''),
      basic('nell', `xx${credential}`),
      basic('nell', `a:${credential}`),
      basic('nell', credential).replace(/=+$/, ''),
      basic('nell', credential).replace(/.{60}$/, ' $&'),
      credential,
      `Token ${credential}`,
      `Digest username="${credential}"`,
      `Token ${base64Of(credential)}`,
    ])
      expect(carriesOwnCredential(authorization), authorization).toBe(true);
  });

  test('is looked for once in each place', () => {
    // Half a minute and more for an expression that tries each beginning of a JWT to its end.
    const beginnings = 'ey'.repeat(100_000);
    for (const text of [
      `Basic ${beginnings}`,
      basic('nell', beginnings),
      `Token ${beginnings}.${beginnings}`,
    ])
      expect(carriesOwnCredential(text)).toBe(false);
    expect(carriesOwnCredential(`Token ${beginnings}.eyJ9.${mac}`)).toBe(true);
  });

  test('a JWT as bearer may be another’s, the credential of a screen is not', () => {
    expect(carriesOwnCredential(`Bearer ${session}`)).toBe(false);
    expect(carriesOwnCredential(`Bearer ${display}`)).toBe(true);
  });

  test.each([
    basic('nell', 'eyJustAPassword'),
    basic('eyJohn', 'secret.with.dots'),
    basic('display_1', 'secret'),
    'Digest username="eyJ", realm="a.b.c"',
  ])('%s is the recorder’s', (authorization) => {
    expect(carriesOwnCredential(authorization)).toBe(false);
  });
});
