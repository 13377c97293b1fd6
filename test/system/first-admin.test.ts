import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { visitor } from '../support/log-in.ts';
import { postern } from '../support/postern-command.ts';
import { startGateway, type GatewayOptions } from '../support/start-gateway.ts';
import { temporaryDirectory } from '../unit/store/temporary-store.ts';

const given = 'a password of our own';

async function start(options: GatewayOptions) {
  const gateway = await startGateway(options);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await gateway.close();
    isOpen = false;
  };
  onTestFinished(close);
  const logIn = async (password: string) =>
    (await visitor(gateway.addresses.authenticated ?? '').logIn('admin', password)).status;
  return { ...gateway, close, logIn };
}

test('SERVICE_ADMIN_PASSWORD is the password of the first admin, and is shown nowhere', async () => {
  const directory = temporaryDirectory();
  const environment = { SERVICE_ADMIN_PASSWORD: given };
  const first = await start({ directory, environment });
  expect(await first.logIn(given)).toBe(200);
  expect(JSON.stringify(first.log)).not.toContain(given);
  expect(JSON.stringify(first.log)).not.toContain('password:');
  await first.close();

  // Once there is an admin, it means nothing: not even when it could not be one.
  const later = await start({ directory, environment: { SERVICE_ADMIN_PASSWORD: 'short' } });
  expect(await later.logIn(given)).toBe(200);
  await later.close();

  const reset = await start({
    directory,
    environment: { SERVICE_ADMIN_PASSWORD: 'another password of ours' },
    config: { auth: { reset_admin_password: true } },
  });
  expect(await reset.logIn('another password of ours')).toBe(401);
  expect(JSON.stringify(reset.log)).toContain('reset user \\"admin\\", password: ');
});

test('a secret file gives it too, with the line break of an editor', async () => {
  const secrets = temporaryDirectory();
  writeFileSync(join(secrets, 'SERVICE_ADMIN_PASSWORD'), `${given}\r\n`);
  const { logIn } = await start({ environment: { CREDENTIALS_DIRECTORY: secrets } });
  expect(await logIn(given)).toBe(200);
});

test('one that is too short is a problem of the configuration, and nothing was made', async () => {
  const directory = temporaryDirectory();
  const password = 'eleven char';
  const environment = { SERVICE_ADMIN_PASSWORD: password };
  await expect(startGateway({ directory, environment })).rejects.toMatchObject({
    problems: [{ path: 'SERVICE_ADMIN_PASSWORD' }],
  });
  const { status, errors } = await postern(directory, ['config', 'check'], { environment });
  expect([status, errors]).toEqual([78, expect.stringContaining('SERVICE_ADMIN_PASSWORD: found ')]);
  expect(errors).not.toContain(password);
  const { log } = await start({ directory });
  expect(JSON.stringify(log)).toContain('created user \\"admin\\", password: ');
});

test('a secret file that cannot be read stops the start', async () => {
  const secrets = temporaryDirectory();
  mkdirSync(join(secrets, 'SERVICE_ADMIN_PASSWORD'));
  await expect(startGateway({ environment: { CREDENTIALS_DIRECTORY: secrets } })).rejects.toMatchObject({
    problems: [{ path: join(secrets, 'SERVICE_ADMIN_PASSWORD') }],
  });
});
