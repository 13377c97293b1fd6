import { describe, expect, test } from 'vitest';
import { callsBelow } from '../../../src/web/calls.ts';
import { pathTo } from '../../../src/web/path-prefix.ts';

const asked: Array<readonly [string, RequestInit]> = [];
const ask = async (path: string, init: RequestInit) => {
  asked.push([path, init]);
  return new Response();
};

const users = callsBelow('/api/users', ask);
const explain = callsBelow('/postern/api/explain', ask, { 'accept-language': 'de' });
const { signal } = new AbortController();

describe('a call asks for', () => {
  const table: ReadonlyArray<readonly [string, () => Promise<unknown>, string, object]> = [
    ['its base', () => users.index.$get({ query: {} }), '/api/users', { method: 'GET', body: null }],
    [
      'what a query has, without what is undefined',
      () => users.index.$get({ query: { role: 'a b&c', search: undefined } }),
      '/api/users?role=a+b%26c',
      {},
    ],
    [
      'a name in the path, whatever is in it',
      () => users[':username'].$delete({ param: { username: 'a/../b?c%20' } }),
      '/api/users/a%2F..%2Fb%3Fc%2520',
      { method: 'DELETE', body: null },
    ],
    [
      'something below a name that ends a path elsewhere',
      () => users[':username'].role.$put({ param: { username: 'a#b' }, json: { role: 'viewer' } }),
      '/api/users/a%23b/role',
      { method: 'PUT' },
    ],
    [
      'something below a name, with JSON',
      () => users[':username'].role.$put({ param: { username: 'nell' }, json: { role: 'viewer' } }),
      '/api/users/nell/role',
      { method: 'PUT', body: '{"role":"viewer"}', headers: { 'content-type': 'application/json' } },
    ],
    [
      'the headers of all calls too',
      () => explain.index.$post({ json: { decision: 'x' } }),
      '/postern/api/explain',
      { headers: { 'accept-language': 'de', 'content-type': 'application/json' } },
    ],
    [
      'what the caller adds',
      () => users.index.$get({ query: {} }, { init: { signal } }),
      '/api/users',
      { signal },
    ],
  ];
  test.each(table)('%s', async (_name, call, path, init) => {
    asked.length = 0;
    await call();
    expect(asked).toEqual([[pathTo(path), expect.objectContaining(init)]]);
  });
});
