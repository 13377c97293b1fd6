import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOwnCookie, setsOwnCookie, withoutOwnCookies } from '../../../src/policy/own-cookies.ts';
import { sessionCookie } from '../../../src/accounts/sessions/session-cookie.ts';
import { assertCases } from '../../support/assert-cases.ts';

const isOwn = isOwnCookie('session_token');

describe('the cookies of a client', () => {
  test.each([
    ['session_token=a', ''],
    ['session_token', ''],
    ['postern_share=a; postern_look=de.dark;postern_oidc_0=a', ''],
    ['session_token=a; b=c', 'b=c'],
    ['b=c; session_token=a', 'b=c'],
    ['b=c;session_token=a;d=e', 'b=c; d=e'],
    [' \t session_token \t = a ;;b=c;; ', 'b=c'],
    ['b="c; session_token=a; d"', 'b="c; d"'],
    ['b=c; session_token=a=b; d==e', 'b=c; d==e'],
    ['=session_token=a; session_token=a', '=session_token=a'],
  ])('%j leaves %j', (sent, left) => {
    expect(withoutOwnCookies(sent, isOwn)).toBe(left);
  });

  test.each([
    '',
    'b=c;d=e ;; ',
    'session_tokens=a; a_session_token=b; SESSION_TOKEN=c; Postern_a=d; postern=e; a=postern_b',
    '__Host-session_token=a; $session_token=b',
  ])('%j stays unchanged', (sent) => {
    expect(withoutOwnCookies(sent, isOwn)).toBe(sent);
  });

  test('removes all cookies that the gate would read, and no others', () => {
    const own = fc.constantFrom('session_token=a', ' session_token=b', 'postern_share=c');
    const pairs = fc.array(fc.oneof(own, fc.constantFrom('session_token =d', '', ' '), fc.string()), {
      maxLength: 4,
    });
    assertCases(
      fc.property(pairs, own, pairs, (before, between, after) => {
        const sent = [...before, between, ...after].join(';');
        const left = withoutOwnCookies(sent, isOwn);
        const others = (text: string) => text.split(';').flatMap((part) => part.trim() || []);
        const read = (header: string) =>
          ['session_token', 'postern_share'].map((name) => sessionCookie(name).read([header]));
        expect(read(sent)).not.toEqual(['absent', 'absent']);
        expect(read(left)).toEqual(['absent', 'absent']);
        expect(others(left)).toEqual(
          others(sent).filter((part) => !/^(?:session_token|postern_[^=]*)\s*(?:=|$)/.test(part)),
        );
      }),
    );
  });
});

describe('the cookies of a recorder', () => {
  test.each([
    'session_token=a; Path=/',
    ' session_token = a',
    'session_token',
    'postern_look=x; Domain=example.org',
    // A browser sends a cookie without a name as its value alone.
    '=session_token=a',
    ' = session_token=a; Path=/',
  ])('%j is one of the gate', (set) => {
    expect(setsOwnCookie(set, isOwn)).toBe(true);
  });

  test.each([
    'a=session_token=b',
    'session_token2=a',
    'SESSION_TOKEN=a',
    '==session_token=a',
    '; session_token=a',
    'a=b; session_token=c',
    '',
  ])('%j is not', (set) => {
    expect(setsOwnCookie(set, isOwn)).toBe(false);
  });
});

test('the session cookie has the configured name', () => {
  const isOwnFrigate = isOwnCookie('frigate_token');
  expect(['frigate_token', 'session_token', 'postern_share'].map(isOwnFrigate)).toEqual([true, false, true]);
});
