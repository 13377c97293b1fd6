import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sessionCookie } from '../../../../src/accounts/sessions/session-cookie.ts';
import { anyCodePoint } from '../../../support/any-code-point.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const cookie = sessionCookie('session_token');

test.each<[headers: string[], read: unknown]>([
  [[], 'absent'],
  [[''], 'absent'],
  [['theme=dark'], 'absent'],
  [['session_token'], 'absent'],
  [['session_token='], 'absent'],
  [['session_token=abc'], { token: 'abc' }],
  [['theme=dark; session_token=abc; x=y'], { token: 'abc' }],
  [['theme=dark;session_token=abc;'], { token: 'abc' }],
  [['theme=dark', 'session_token=abc'], { token: 'abc' }],
  [['session_token=abc; session_token=abc'], { token: 'abc' }],
  [['session_token=abc; session_token=evil'], 'ambiguous'],
  [['session_token=abc', 'session_token=evil'], 'ambiguous'],
  [['session_token=; session_token=abc'], 'ambiguous'],
  [['session_token=a=b'], { token: 'a=b' }],
  [['session_token="abc"'], { token: '"abc"' }],
  [['SESSION_TOKEN=abc'], 'absent'],
  [['xsession_token=abc'], 'absent'],
  [['session_token2=abc'], 'absent'],
  [['session_token%3Dabc'], 'absent'],
  [['x="; session_token=abc"'], { token: 'abc"' }],
  [['x=session_token=abc'], 'absent'],
  [[',session_token=abc'], 'absent'],
  // No front treats this byte as a blank.
  [['\u00a0session_token=abc'], 'absent'],
  [['x=y;\u00a0session_token=abc'], 'absent'],
  [['x=y;\tsession_token=abc'], { token: 'abc' }],
])('%j: %j', (headers, read) => {
  expect(cookie.read(headers)).toEqual(read);
});

test.each<[maxAgeSeconds: number | undefined, secure: boolean, line: string]>([
  [86_400, true, 'session_token=abc; Max-Age=86400; Path=/; HttpOnly; SameSite=Lax; Secure'],
  [60, false, 'session_token=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax'],
  [undefined, true, 'session_token=abc; Path=/; HttpOnly; SameSite=Lax; Secure'],
])('set for %j seconds, TLS %j', (maxAgeSeconds, secure, line) => {
  expect(cookie.set('abc', maxAgeSeconds, secure)).toBe(line);
});

test('clears with the same cookie, empty and expired', () => {
  expect(cookie.clear(true)).toBe('session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure');
  expect(cookie.clear(false)).toBe('session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax');
});

test('uses the configured name, and ignores the rest of the header', () => {
  const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/);
  const token = fc.stringMatching(/^[A-Za-z0-9_.-]{1,40}$/);
  const junk = fc.string({ unit: anyCodePoint }).filter((text) => !text.includes(';'));
  assertCases(
    fc.property(name, token, fc.array(junk), fc.array(junk), (cookieName, value, before, after) => {
      const own = sessionCookie(cookieName);
      const others = [...before, ...after].filter((pair) => !pair.trim().startsWith(`${cookieName}=`));
      expect(own.read([others.join('; ')])).toBe('absent');
      const line = own.set(value, 60, true).split(';', 1)[0] ?? '';
      const around = others.slice(0, before.length).concat(line, others.slice(before.length));
      expect(own.read([around.join('; ')])).toEqual({ token: value });
      expect(own.read(around)).toEqual({ token: value });
      expect(own.read([...around, `${cookieName}=${value}x`])).toBe('ambiguous');
    }),
  );
});
