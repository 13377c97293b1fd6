import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveConfiguration } from '../../../../src/config/resolve.ts';
import { store } from '../../../../src/api/doctor/front/configuration-checks.ts';
import type { SignedIn } from '../../../../src/api/doctor/front/examination.ts';
import { connectionsOfProcess } from '../../../../src/store/postgres/open-store.ts';
import { freePort } from '../../../support/ports.ts';
import { emptyDatabase } from '../../../support/postgres.ts';
import { projectRoot } from '../../../support/start-gateway.ts';

async function found(url: string | undefined, { clock = Date.now } = {}) {
  const configuration = resolveConfiguration(url === undefined ? {} : { store: { url } }, {
    environment: {},
    trustedHeaders: new Set(),
    trustedHeadersFile: '',
  });
  const findings = await store.run({ context: { configuration, clock: { now: clock } } } as SignedIn);
  return findings.map(({ result, sent, seen, change }) => [result, sent, seen, change].join(' | '));
}

test('accepts a store that several gates can share', async () => {
  const lines = await found((await emptyDatabase()).urlAt());
  expect(lines.map((line) => line.split(' | ')[0])).toEqual(['ok', 'ok', 'ok', 'ok']);
  expect(lines[0]).toMatch(/PostgreSQL \d\d/);
  expect(connectionsOfProcess).toBe(11);
  const page = readFileSync(join(projectRoot, 'docs', 'doctor.md'), 'utf8');
  expect(page).toMatch(/^\| `store` .*`max_connections` of eleven for each process/m);
  expect(lines[3]).toMatch(/for \d+; \d+ of \d+ connections are taken by gates now/);
});

test('reports the fault of a store, without its password', async () => {
  const database = await emptyDatabase();
  const name = `limited_${Date.now()}`;
  await database.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret-word' CONNECTION LIMIT 10`);
  const url = database.urlAt().replace(/postern:[0-9a-f]+@/, `${name}:secret-word@`);
  const lines = await found(url, { clock: () => Date.now() + 60_000 });
  expect(lines[1]).toMatch(
    /^FAULT \| the right to make tables \| no \| make the user of store.url the owner/,
  );
  expect(lines[2]).toMatch(/^FAULT \| the clock of the database \| -[56]\d\.\d seconds ahead/);
  expect(lines[3]).toMatch(/^FAULT \| connections for gates \| for \d; \d+ of -?\d+ connections/);
  expect((await found(url.replace('secret-word', 'wrong-word'))).join()).toMatch(
    /^FAULT .* another password/,
  );
  expect((await found(`postgres://u:secret-word@127.0.0.1:${await freePort()}/d`)).join()).toMatch(
    /^FAULT .* is it running/,
  );
  expect(lines.join()).not.toContain('secret-word');
});

test('checks nothing without a store', async () => {
  expect(await found(undefined)).toEqual([expect.stringMatching(/^skipped .*the store is in files/)]);
});
