import { readFileSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { visitor } from '../../support/log-in.ts';
import { startGateway, type RunningGateway } from '../../support/start-gateway.ts';

const { rename } = files;

/** @param then called when a new config.yml is in its place, and not applied yet */
function whenReplaced(then: () => void | Promise<void>): void {
  useRename(async (from, to) => {
    await rename(from, to);
    if (String(to).endsWith('config.yml')) await then();
  });
}

function useRename(used: typeof rename): void {
  files.rename = used;
  syncBuiltinESMExports();
}

let gateway: RunningGateway;
beforeEach(async () => {
  gateway = await startGateway({ config: { auth: { roles: { guest: ['front'] } } } });
});
afterEach(async () => {
  useRename(rename);
  await gateway.close();
});

const ask = (path: string, method = 'GET', body?: object) =>
  fetch(`http://${gateway.addresses.internal}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
const rolesOf = async () => {
  const roles = (await (await ask('/postern/api/roles')).json()) as ReadonlyArray<{
    readonly name: string;
    readonly cameras: readonly string[];
  }>;
  return Object.fromEntries(roles.map(({ name, cameras }) => [name, cameras]));
};

test('a role that an operator took away stays away when the gate was writing another one', async () => {
  whenReplaced(async () => {
    const file = join(gateway.directory, 'config.yml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('front', 'yard'));
    await gateway.reloading.reload('SIGHUP');
  });
  expect((await ask('/postern/api/roles/guard', 'PUT', { cameras: ['door'] })).status).toBe(200);
  expect(await rolesOf()).toMatchObject({ guest: ['yard'], guard: ['door'] });
});

test('a session that a new secret ended stays ended when the gate was writing a role', async () => {
  const password = 'correct horse battery';
  await ask('/api/users', 'POST', { username: 'vera', password, role: 'viewer' });
  const vera = visitor(gateway.addresses.authenticated ?? '');
  await vera.logIn('vera', password);
  expect((await vera.send('GET', '/api/profile')).status).toBe(200);
  whenReplaced(async () => {
    writeFileSync(join(gateway.directory, '.jwt_secret'), 'a'.repeat(64));
    await gateway.reloading.reload('SIGHUP');
  });
  expect((await ask('/postern/api/roles/guard', 'PUT', { cameras: ['door'] })).status).toBe(200);
  expect((await vera.send('GET', '/api/profile')).status).toBe(401);
});
