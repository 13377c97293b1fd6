import { ownPaths } from '../../support/every-endpoint.ts';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { byCurrentRoles } from '../../../src/api/by-current-roles.ts';
import type { CurrentRuntime } from '../../../src/api/permit.ts';
import type { ApiEnvironment, RequestFacts } from '../../../src/api/environment.ts';
import { AppError } from '../../../src/errors.ts';
import { settings } from './api-dependencies.ts';

/** Whether other roles are known, or cannot be read. */
type Roles = 'current' | 'outdated' | 'the same after all' | 'unknown';

async function ask(roles: Roles, path: string, method = 'GET', entryPoint = 'authenticated') {
  const own: CurrentRuntime = {
    settings,
    answer: () => new Response('by itself'),
    evaluateIn: () => Promise.reject(new Error('nothing is changed')),
  };
  const other = { ...own, settings: { ...settings }, answer: () => new Response('by the current roles') };
  const renew = () =>
    roles === 'unknown'
      ? Promise.reject(new AppError('store_unavailable'))
      : Promise.resolve(undefined as never);
  const current = () => (roles === 'outdated' ? other : own);
  const app = new Hono<ApiEnvironment>()
    .use('*', byCurrentRoles({ areCurrent: () => roles === 'current', renew }, current, settings, ownPaths))
    .all('*', (c) => c.text('by its roles'))
    .onError((error, c) => c.text((error as AppError).code, 503));
  const facts = { path, entryPoint } as unknown as RequestFacts;
  return (await app.fetch(new Request(`http://gate.local${path}`, { method }), facts)).text();
}

test.each<[roles: Roles, path: string, answered: string, method?: string, entryPoint?: string]>([
  ['current', '/postern/api/roles', 'by its roles'],
  ['outdated', '/postern/api/roles', 'by the current roles'],
  ['outdated', '/postern/api/roles', 'by the current roles', 'GET', 'internal'],
  ['outdated', '/postern/settings/access', 'by the current roles'],
  ['outdated', '/api/login', 'by the current roles', 'POST'],
  ['the same after all', '/postern/api/roles', 'by its roles'],
  ['unknown', '/postern/api/roles', 'store_unavailable'],
  ['unknown', '/api/login', 'store_unavailable', 'POST'],
  ['unknown', '/postern/api/roles', 'by its roles', 'GET', 'internal'],
  ['unknown', '/api/login', 'by its roles'],
  ['unknown', '/login', 'by its roles'],
  ['unknown', '/postern/assets/a.js', 'by its roles'],
  ['unknown', '/auth', 'by its roles'],
  ['unknown', '/logout', 'by its roles'],
  ['unknown', '/readyz', 'by its roles', 'GET', 'internal'],
])('with roles that are %s, %s is answered %s', async (roles, path, answered, method, entryPoint) => {
  expect(await ask(roles, path, method, entryPoint)).toBe(answered);
});
