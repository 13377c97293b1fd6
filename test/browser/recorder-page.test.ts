import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect } from 'vitest';
import { adminOf, type Visitor } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { test } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startRecorder, type Recorder } from '../support/start-recorder.ts';

let recorder: Recorder;
let gateway: RunningGateway;
let admin: Visitor;
beforeAll(async () => {
  recorder = await startRecorder(['front', 'garage'], {});
  gateway = await startGateway({ sample: true });
  admin = await adminOf(gateway);
});
afterAll(() => Promise.all([gateway?.close(), recorder?.close()]));

test('Settings > Recorder connects a bare address, and finds the database', async ({ open }) => {
  const path = join(gateway.directory, 'frigate.db');
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE event (id TEXT, camera TEXT)');
  database.close();
  const { page, expectInConsole } = await open(`https://${gateway.addresses.authenticated}`, { as: admin });
  // The recorder of the test has no pictures.
  expectInConsole(/status of (?:404|50\d)/);
  await page.goto('/postern/settings/recorder');
  const address = page.getByLabel('Address');
  await address.fill('no.such.name.invalid');
  const connect = page.getByRole('button', { name: 'Connect' });
  await connect.click();
  await page.getByText('Nothing answers there.').waitFor();
  await lookAt(page, 'a recorder that is not there');
  await address.fill(recorder.address);
  await connect.click();
  await page.getByText(`http://${recorder.address}`).waitFor();
  await page.getByText(`Postern found the recorder’s database at ${path}`).waitFor();
  const config = readFileSync(join(gateway.directory, 'config.yml'), 'utf8');
  expect(config).toContain(`upstream: http://${recorder.address}`);
  expect(config).toContain(`database: ${path}`);
  await lookAt(page, 'a recorder that is connected');
});
