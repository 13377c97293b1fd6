import { expect, test } from 'vitest';
import { apiTokenOf, bearerOf, cookieOf } from '../../../../src/access/authentication/credentials.ts';
import { sessionCookie } from '../../../../src/accounts/sessions/session-cookie.ts';
import { basic } from '../../../support/basic.ts';

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

const token = `postern_${'a'.repeat(43)}`;
const asBasic = { user: 'olaf', password: token, isPlain: true };

test.each<[authorization: readonly string[], found: ReturnType<typeof apiTokenOf>]>([
  [[], undefined],
  [[`Bearer ${token}`], { token, basic: undefined }],
  [['Bearer a.b.c'], undefined],
  [[basic('olaf', token)], { token, basic: asBasic }],
  [[basic('olaf', token).replace('Basic', 'bASIC')], { token, basic: asBasic }],
  [[basic('olaf', 'secret')], undefined],
  [[basic(token, '')], undefined],
  [[basic('olaf', `x:${token}`)], undefined],
  [[`Basic ${token}`], undefined],
  [[basic('olaf', token), basic('olaf', token)], undefined],
  [[basic('olaf', token), 'Bearer a'], undefined],
])('the API token of Authorization %j is %j', (authorization, found) => {
  expect(apiTokenOf(authorization.flatMap((value) => ['Authorization', value]))).toEqual(found);
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
