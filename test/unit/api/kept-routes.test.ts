import { Hono } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import { expect, test } from 'vitest';
import { KeptRoutes } from '../../../src/api/kept-routes.ts';

type Route = readonly [method: 'get' | 'post' | 'all', path: string];

const some: readonly Route[] = [
  ['all', '*'],
  ['get', '/users'],
  ['post', '/users'],
  ['get', '/users/:name'],
  ['all', '/users/:name/blocked'],
  ['get', '/a/:b/:c'],
];

const requests = [
  ['GET', '/users'],
  ['POST', '/users'],
  ['GET', '/users/olaf'],
  ['POST', '/users/olaf'],
  ['PUT', '/users/olaf/blocked'],
  ['GET', '/a/1/2'],
  ['GET', '/a/1'],
  ['GET', '/'],
] as const;

const appOf = (router: TrieRouter<never> | KeptRoutes<never>, routes: readonly Route[], name: string) => {
  const app = new Hono({ router: router as never });
  for (const [place, [method, path]] of routes.entries())
    app[method](path, async (c, next) => {
      if (path === '*') return next();
      return c.json([name, place, c.req.param()]);
    });
  return app;
};

const answersOf = async (app: Hono) =>
  Promise.all(
    requests.map(async ([method, path]) => {
      const answer = await app.request(path, { method });
      return [answer.status, await answer.text()];
    }),
  );

test.each<[what: string, former: readonly Route[], routes: readonly Route[]]>([
  ['the first app', [], some],
  ['the same routes again', some, some],
  ['one route less', some, some.slice(1)],
  ['one route more', some.slice(1), some],
  ['another order', some, some.toReversed()],
])('answers like TrieRouter: %s', async (_, former, routes) => {
  await answersOf(appOf(new KeptRoutes(), former, 'former'));
  const expected = await answersOf(appOf(new TrieRouter(), routes, 'this app'));
  expect(expected.map(([status]) => status)).toContain(200);
  expect(await answersOf(appOf(new KeptRoutes(), routes, 'this app'))).toEqual(expected);
});

test('an app keeps its handlers when another one is made', async () => {
  const [first, second] = ['first', 'second'].map((name) => appOf(new KeptRoutes(), some, name));
  for (const [app, name] of [
    [first, 'first'],
    [second, 'second'],
    [first, 'first'],
  ] as const)
    expect(await (await app?.request('/users/olaf'))?.json()).toEqual([name, 3, { name: 'olaf' }]);
});
