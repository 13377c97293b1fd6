import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { visitor } from '../support/log-in.ts';
import { startFirstEdition, type FirstEdition } from '../support/start-first-edition.ts';

let site: FirstEdition;
beforeAll(async () => {
  site = await startFirstEdition();
});
afterAll(() => site?.close());

/** Every path that moved, and what a script or a bookmark of the first edition gets there. */
const moved: ReadonlyArray<[method: string, path: string, status: number, body?: unknown]> = [
  ['GET', '/api/cameras', 200],
  ['GET', '/api/roles', 200],
  ['PUT', '/api/roles/guests', 200, { cameras: ['garage'] }],
  ['DELETE', '/api/roles/guests', 200],
  ['GET', '/api/sessions', 200],
  ['GET', '/api/tokens', 200],
  ['POST', '/api/tokens', 201, { name: 'script', role: 'viewer' }],
  ['GET', '/api/audit', 200],
  ['GET', '/api/configuration', 200],
  ['POST', '/api/explain', 200, { method: 'GET', uri: '/', role: 'viewer' }],
  ['GET', '/api/openapi.json', 200],
  ['GET', '/', 200],
  ['GET', '/explore', 200],
  ['GET', '/settings', 200],
  ['GET', '/settings/users', 200],
  ['GET', '/account', 200],
  ['GET', '/account/api', 200],
];

describe("behind the first edition's nginx", () => {
  test.each(moved)('%s %s answers %d, and says where it moved', async (method, path, status, body) => {
    const answer = await site.admin.send(method, path, body);
    expect(answer.status, answer.body).toBe(status);
    expect(answer.headers.get('deprecation')).toEqual(['@1795305600']);
    expect(answer.headers.get('link')).toEqual([`</postern${path}>; rel="successor-version"`]);
  });

  test.each(['/login', '/api/login', '/api/profile', '/api/users', '/api/events'])(
    'GET %s is where it was',
    async (path) => {
      const answer = await site.admin.send('GET', path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('deprecation')).toBeUndefined();
    },
  );

  test('the log says once of each path what to change', () => {
    const lines = site.gateway.log.filter(({ msg }) => String(msg).startsWith('a path of the first edition'));
    const paths = lines.map(({ path }) => String(path));
    expect(new Set(paths.map((path) => path.split('/', 3).join('/'))).size).toBe(paths.length);
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        path: '/api/audit',
        successor: '/postern/api/audit',
        msg: expect.stringContaining("the front's new configuration") as string,
      }),
    );
  });

  test('an API token of a script is good, at the paths that the script knows', async () => {
    const { body } = await site.admin.send('POST', '/api/tokens', { name: 'home', role: 'viewer' });
    const { token } = JSON.parse(body) as { token: string };
    const statusOf = async (path: string) =>
      (await visitor(site.address).send('GET', path, undefined, [['Authorization', `Bearer ${token}`]]))
        .status;
    expect(await statusOf('/api/cameras')).toBe(200);
    expect(await statusOf('/api/events')).toBe(200);
    expect(await statusOf('/api/tokens')).toBe(403);
  });

  test('sessions and passwords of its database are good', async () => {
    const { store, address } = site;
    const vera = visitor(address);
    vera.token = store.tokens['vera'];
    expect((await vera.send('GET', '/api/profile')).body).toContain('"username":"vera"');
    for (const [user, password] of Object.entries(store.passwords))
      expect((await visitor(address).logIn(user, password)).status, user).toBe(200);
  });

  test('an authorization request about /postern/ is logged, once', async () => {
    for (const path of ['/postern/api/roles', '/postern/account', '/postern/'])
      await site.admin.send('GET', path);
    const lines = site.gateway.log.filter(({ msg }) =>
      String(msg).startsWith('a front asks about a path below'),
    );
    expect(lines).toEqual([expect.objectContaining({ level: 'warn', path: '/postern/api/roles' })]);
  });

  test('a key that means nothing any more is said, and harms nothing', async () => {
    const { body } = await site.admin.send('GET', '/api/configuration');
    const { warnings } = JSON.parse(body) as { warnings: string[] };
    expect(warnings).toContainEqual(expect.stringContaining('cache.verdicts has no effect'));
  });
});
