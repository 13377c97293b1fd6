import { guardedEndpoints, openEndpoints } from '../support/every-endpoint.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { otherSites } from '../support/other-sites.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

/*
 * Each endpoint that changes something, asked by a page of another site with the cookie of an admin. An endpoint that is added
 * comes here by itself. A GET changes nothing, except that links may sign out, and begin or finish a sign-in at a provider.
 */

/** Endpoints of no browser, and why another site can do nothing with them. */
const exceptions: Readonly<Record<string, string>> = {
  'POST /postern/oidc/backchannel-logout':
    'the provider calls it, and its signed token decides; no cookie does',
  'ALL /auth': 'it only reads: a front asks what a request may do',
};

const all: readonly Endpoint[] = [...openEndpoints, ...guardedEndpoints];
const changing = all
  .map((endpoint) => ({ ...endpoint, name: `${endpoint.method.toUpperCase()} ${endpoint.path}` }))
  .filter(({ method, name }) => method !== 'get' && exceptions[name] === undefined);

/** What is there to be changed; any other parameter names nothing. */
const targets = new Map<string, string>();
const uriOf = (path: string) => targets.get(path) ?? path.replaceAll(/:\w+/g, 'x');

let gateway: RunningGateway;
let admin: Visitor;
beforeAll(async () => {
  gateway = await startGateway({
    config: {
      cameras: ['front_door'],
      auth: { roles: { family: ['front_door'] }, camera_groups: { outside: ['front_door'] } },
    },
  });
  admin = await adminOf(gateway);
  await userOf(admin, gateway.addresses.authenticated ?? '', 'vera', 'viewer');
  const idOf = async (path: string, body: object) =>
    (JSON.parse((await admin.send('POST', path, body)).body) as { id: string }).id;
  const token = await idOf('/postern/api/tokens', { name: 'script', role: 'viewer' });
  const invitation = await idOf('/postern/api/invitations', { role: 'viewer' });
  for (const [path, uri] of [
    ['/api/users/:username/password', '/api/users/vera/password'],
    ['/api/users/:username/role', '/api/users/vera/role'],
    ['/postern/api/users/:username/blocked', '/postern/api/users/vera/blocked'],
    ['/api/users/:username', '/api/users/vera'],
    ['/postern/api/roles/:name', '/postern/api/roles/family'],
    ['/postern/api/camera-groups/:name', '/postern/api/camera-groups/outside'],
    ['/postern/api/tokens/:id', `/postern/api/tokens/${token}`],
    ['/postern/api/invitations/:id', `/postern/api/invitations/${invitation}`],
  ] as const)
    targets.set(path, uri);
});
afterAll(() => gateway?.close());

/** Written by the clock: when alerts of what came before are sent, and when old rows are deleted. */
const beside = new Set(['outbox', 'used_once', 'last_pruning', 'trusted_time']);

/** What can be changed: the rows of all tables, and the configuration file. */
function kept(): unknown {
  const { directory } = gateway;
  const database = new DatabaseSync(join(directory, 'postern.db'), { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const rows = tables
      .map(({ name }) => String(name))
      .filter((name) => !beside.has(name))
      .map((name) => [name, database.prepare(`SELECT * FROM "${name}"`).all()]);
    return { ...Object.fromEntries(rows), config: readFileSync(join(directory, 'config.yml'), 'utf8') };
  } finally {
    database.close();
  }
}

test('there are such endpoints, and each exception is one of them', () => {
  expect(changing.length).toBeGreaterThan(45);
  const names = all.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(names).toEqual(expect.arrayContaining(Object.keys(exceptions)));
});

test.each(changing)('no page of another site reaches $name', async ({ method, path, bodyExample }) => {
  const before = kept();
  for (const sign of otherSites) {
    const logged = gateway.log.length;
    const answer = await admin.send(method.toUpperCase(), uriOf(path), bodyExample ?? {}, [sign]);
    expect([answer.status, answer.headers.get('set-cookie')], sign.join()).toEqual([403, undefined]);
    // For those that need a user, it is the last reason: nothing else was wrong with the request.
    const reasons = gateway.log.slice(logged).map(({ reason }) => reason);
    expect(reasons, sign.join()).toContain('cross_site');
  }
  expect(kept()).toEqual(before);
});

test('the page of this site changes what was meant', async () => {
  const deletions = changing.filter(({ method, path }) => method === 'delete' && targets.has(path));
  expect(deletions).toHaveLength(5);
  const signs = [
    ['Host', 'gate.local'],
    ['Origin', 'https://gate.local'],
    ['Sec-Fetch-Site', 'same-origin'],
  ] as const;
  for (const { path } of deletions) {
    const before = kept();
    expect((await admin.send('DELETE', uriOf(path), undefined, signs)).status, path).toBeLessThan(300);
    expect(kept(), path).not.toEqual(before);
  }
});
