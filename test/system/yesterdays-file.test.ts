import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { adminOf, goodPassword, visitor, type Visitor } from '../support/log-in.ts';
import { startGateway } from '../support/start-gateway.ts';

/*
 * Access of one person is in the store: a config.yml of yesterday, or of an earlier version, changes no guest.
 */

const config = {
  networking: { listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' } },
  cameras: ['front', 'garage'],
  auth: { roles: { neighbour: ['front'] } },
};
/** Its end stays, so that no text looks like one that was cut off. */
const textOf = (auth: object) => stringify({ ...config, auth, timezone: 'UTC' });

function place() {
  const directory = mkdtempSync(join(tmpdir(), 'postern-yesterday-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'config.yml');
  writeFileSync(file, textOf(config.auth));
  const start = () => startGateway({ directory, keepConfig: true });
  return { directory, file, start };
}

async function seen(who: Visitor) {
  const status = async (uri: string) => (await who.send('GET', uri)).status;
  const { role } = JSON.parse((await who.send('GET', '/api/profile')).body || '{}') as { role?: string };
  return {
    role,
    front: await status('/api/events?cameras=front'),
    garage: await status('/api/events?cameras=garage'),
  };
}

async function guestOf(admin: Visitor, address: string) {
  const invited = await admin.send('POST', '/postern/api/invitations', {
    name: 'nell',
    cameras: ['front'],
    may: ['live', 'history'],
  });
  const { url, id, role } = JSON.parse(invited.body) as { url: string; id: string; role: string };
  const nell = visitor(address);
  const accepted = await nell.send('POST', `/postern/api/invitations/${id}/accept`, {
    secret: url.split('#')[1],
    username: 'nell',
    password: goodPassword,
  });
  expect(accepted.status, accepted.body).toBe(201);
  await nell.logIn('nell', goodPassword);
  return { nell, role };
}

test('a guest keeps exactly their access, at a reload and at a start', async () => {
  const { file, start } = place();
  const first = await start();
  const { nell, role } = await guestOf(await adminOf(first), first.addresses.authenticated ?? '');
  const access = await seen(nell);
  expect(access).toEqual({ role, front: 200, garage: 403 });
  const roles = { neighbour: ['front'] };
  const files = [
    roles,
    { ...roles, [role]: ['front', 'garage'] },
    // Without its words and its schedule.
    { ...roles, [role]: ['front'] },
  ].map((listed) => textOf({ roles: listed }));
  for (const text of files) {
    writeFileSync(file, text);
    await first.reloading.reload('test');
    expect(first.reloading.report()).toMatchObject({ successful: true });
    expect(await seen(nell)).toEqual(access);
  }
  await first.close();
  for (const text of files) {
    writeFileSync(file, text);
    const again = await start();
    const back = visitor(again.addresses.authenticated ?? '');
    await back.logIn('nell', goodPassword);
    expect(await seen(back)).toEqual(access);
    await again.close();
  }
});

test('the first start copies what an earlier version kept in config.yml, and no later one', async () => {
  const { directory, file, start } = place();
  const first = await start();
  const { role } = await guestOf(await adminOf(first), first.addresses.authenticated ?? '');
  await first.close();
  // As an earlier version left it, upgraded.
  const store = new DatabaseSync(join(directory, 'postern.db'));
  store.exec('DELETE FROM custom_roles; UPDATE personal_roles SET copied_at = 0');
  store.close();
  const roles = { neighbour: ['front'] };
  for (const listed of [{ ...roles, [role]: ['front'] }, { ...roles, [role]: ['front', 'garage'] }, roles]) {
    writeFileSync(file, textOf({ roles: listed }));
    const again = await start();
    const nell = visitor(again.addresses.authenticated ?? '');
    await nell.logIn('nell', goodPassword);
    expect(await seen(nell)).toEqual({ role, front: 200, garage: 403 });
    await again.close();
  }
});

test('whoever has lost the definition of a role of their own gets nothing', async () => {
  const { directory, start } = place();
  const first = await start();
  const { nell, role } = await guestOf(await adminOf(first), first.addresses.authenticated ?? '');
  // Another program: the running gate sees it.
  const store = new DatabaseSync(join(directory, 'postern.db'), { timeout: 5_000 });
  store.exec('DELETE FROM custom_roles; DELETE FROM personal_roles');
  store.close();
  await expect.poll(async () => (await nell.send('GET', '/api/events?cameras=front')).status).toBe(403);
  expect((await nell.send('GET', '/api/events?cameras=garage')).status).toBe(403);
  const admin = await adminOf(first);
  const shown = await admin.send('GET', '/postern/api/people/nell');
  expect(JSON.parse(shown.body)).toMatchObject({ role, grant: { cameras: [], may: [] } });
  await first.close();
});
