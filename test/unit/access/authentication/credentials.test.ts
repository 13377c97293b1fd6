import { expect, test } from 'vitest';
import { bearerOf, cookieOf } from '../../../../src/access/authentication/credentials.ts';
import { sessionCookie } from '../../../../src/identity/sessions/session-cookie.ts';

test.each<[authorization: readonly string[], found: ReturnType<typeof bearerOf>]>([
  [[], undefined],
  [['Bearer a.b.c'], { token: 'a.b.c' }],
  [['bearer   a.b.c'], { token: 'a.b.c' }],
  [['BEARER\ta'], { token: 'a' }],
  [['Bearer'], { token: '' }],
  [['Bearer '], { token: '' }],
  [['Bearer a b'], { token: 'a b' }],
  [['Bearers a'], undefined],
  [['Bearer\u00a0a'], undefined],
  [['Bearer:a'], undefined],
  [['x Bearer a'], undefined],
  [['Basic YTpi'], undefined],
  [[''], undefined],
  [['Bearer a', 'Bearer a'], { refused: 'token_ambiguous' }],
  [['Basic YTpi', 'Bearer a'], { refused: 'token_ambiguous' }],
])('Authorization %j is %j', (authorization, found) => {
  expect(bearerOf(authorization.flatMap((value) => ['Authorization', value]))).toEqual(found);
});

test.each<[cookies: readonly string[], found: ReturnType<typeof cookieOf>]>([
  [[], { refused: 'no_session' }],
  [['other=x'], { refused: 'no_session' }],
  [['session_token=x'], { token: 'x' }],
  [['session_token=x; session_token=y'], { refused: 'token_ambiguous' }],
  [['session_token=x', 'session_token=y'], { refused: 'token_ambiguous' }],
])('Cookie %j is %j', (cookies, found) => {
  const headers = cookies.flatMap((value) => ['Cookie', value]);
  expect(cookieOf(headers, sessionCookie('session_token'))).toEqual(found);
});
