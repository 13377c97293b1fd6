import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AuditRecord } from '../../src/audit/audit-query.ts';
import { adminOf, goodPassword, printedPassword, userOf, visitor } from '../support/log-in.ts';
import { outputOf } from '../support/postern-command.ts';
import { keptConnection } from '../support/raw-http.ts';
import { startGateway } from '../support/start-gateway.ts';
import { slowness } from '../support/patience.ts';

const config = {
  auth: { roles: { operator: ['garage'] }, failed_login_rate_limit: null },
  cameras: ['front_door', 'garage'],
};
const command = (directory: string, args: readonly string[], input = '') =>
  outputOf(directory, args, { input, environment: { TZ: 'Europe/Berlin' } });

test('no secret is anywhere in the audit or the log, wherever it was typed', async () => {
  const jwtSecret = 'the-secret-of-the-tokens'.repeat(4);
  const gateway = await startGateway({ config, environment: { SERVICE_JWT_SECRET: jwtSecret } });
  const address = gateway.addresses.authenticated ?? '';
  const admin = await adminOf(gateway);
  const printed = printedPassword(gateway);
  const vera = await userOf(admin, address, 'vera', 'viewer');
  const secret = 'Sw0rdfish-Sw0rdfish';
  const tokens = [admin.token ?? '', vera.token ?? ''];
  await visitor(address).logIn(secret, 'x');
  await visitor(address).logIn('vera', secret);
  await visitor(address).logIn(`${secret}@home`, secret);
  await admin.send('PUT', '/api/users/vera/password', { password: secret });
  await admin.send('POST', '/api/users', { username: 'nell', password: secret, role: 'viewer' });
  await admin.send('POST', '/api/users', { username: 'nell', password: secret, role: secret });
  const nell = visitor(address);
  await nell.logIn('nell', secret);
  await nell.send('PUT', '/api/users/nell/password', { password: `${secret}2`, old_password: `${secret}3` });
  await nell.send('PUT', '/api/users/nell/password', { password: `${secret}2`, old_password: secret });
  const odd = [
    `?token=${secret}`,
    `;token=${secret}`,
    `%3Ftoken=${secret}`,
    `%253Ftoken=${secret}`,
    `#${secret}`,
  ];
  for (const end of odd) {
    await visitor(address).send('GET', `/vod/garage${end}`);
    await visitor(address).send('GET', `http://vera:${secret}@gate.local/vod/garage${end}`);
  }
  await visitor(address).send('GET', '/vod/garage', undefined, [
    ['Authorization', `Bearer ${secret}`],
    ['Cookie', `session_token=${secret}; other=${secret}`],
    ['User-Agent', secret],
    ['X-Proxy-Secret', secret],
    ['Referer', `https://gate.local/?token=${secret}`],
  ]);
  await vera.send('GET', `/api/profile?token=${vera.token}`);
  await vera.send('POST', '/api/logout');
  await gateway.reloading.reload('a test');
  await command(gateway.directory, ['users', 'set-password', 'nell'], `${secret}4\n`);
  const files = () =>
    globSync('activity.db*', { cwd: gateway.directory }).map((name) =>
      readFileSync(join(gateway.directory, name)).toString('latin1'),
    );
  await new Promise((resolve) => setTimeout(resolve, 300));
  const texts = [...files(), JSON.stringify(gateway.log.filter(({ event }) => event !== undefined))];
  const whole = JSON.stringify(gateway.log);
  await gateway.close();
  expect(texts.join('')).toContain('/vod/garage');
  for (const hidden of [secret, jwtSecret, ...tokens, ...tokens.map((token) => token.split('.')[2] ?? '')]) {
    expect(hidden.length).toBeGreaterThan(10);
    for (const text of [...texts, whole]) expect(text.includes(hidden)).toBe(false);
  }
  for (const text of texts) expect(text.includes(printed)).toBe(false);
  // Once, by the start.
  expect(whole.split(printed)).toHaveLength(2);
});

test('a client cannot forge a line, and names are bounded', async () => {
  const gateway = await startGateway({
    config: {
      auth: { enabled: false },
      proxy: { header_map: { user: 'remote-user', role: 'remote-groups' } },
    },
  });
  const address = gateway.addresses.authenticated ?? '';
  const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
  const ask = (user: string, uri = '/api/users') =>
    visitor(address).send('GET', uri, undefined, [
      ['Remote-User', bytes(user)],
      ['Remote-Groups', 'viewer'],
    ]);
  await ask('a\u202ednim');
  await ask('zero\u200bwidth');
  await ask('x'.repeat(256));
  await ask('olaf', `/api/users/${'%C3%A9'.repeat(1_000)}`);
  await ask('olaf', `/api/users/%1b%5b2J%0a{"event":"login"}`);
  await visitor(gateway.addresses.forwardAuthAuthenticated ?? '').send('GET', '/auth', undefined, [
    ['X-Original-Method', 'GET'],
    ['X-Original-URL', '/api/users/\u009b2J'],
  ]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const table = await command(gateway.directory, ['audit']);
  const json = await command(gateway.directory, ['audit', '--json']);
  const log = gateway.log.filter(({ event }) => event === 'refused');
  await gateway.close();
  expect(log).toHaveLength(6);
  expect(table.trim().split('\n')).toHaveLength(7);
  for (const text of [table, json, JSON.stringify(log)]) {
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  }
  const records = json
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditRecord);
  // Malformed names are recorded as no user.
  expect(records.filter(({ reason }) => reason === 'user_malformed')).toHaveLength(2);
  expect(new Set(records.map(({ user }) => user))).toEqual(new Set([null, 'x'.repeat(256), 'olaf']));
  expect(Math.max(...records.map(({ object }) => object?.length ?? 0))).toBeLessThanOrEqual(512);
});

test('the log has a bounded part of a flood over one connection; the rest is counted and can be explained', async () => {
  const began = performance.now();
  const gateway = await startGateway();
  const { log } = gateway;
  const client = keptConnection(gateway.addresses.internal ?? '');
  let decision = '';
  for (let i = 0; i < 3_050; i += 1) {
    const { status, headers } = await client.send({
      uri: `/api/${i}`,
      headers: [['Host', 'elsewhere.example']],
    });
    if (status !== 403) throw new Error(`${status} for request ${i}`);
    decision = headers.get('x-postern-decision')?.[0] ?? '';
  }
  const admin = visitor(gateway.addresses.internal ?? '', false);
  const explained = await admin.send('POST', '/postern/api/explain', { decision });
  expect(JSON.parse(explained.body)).toMatchObject({ reason: 'host_unknown' });
  client[Symbol.dispose]();
  await gateway.close();
  const minutes = Math.floor((performance.now() - began) / 60_000) + 1;
  const refused = log.filter(({ event }) => event === 'refused');
  const leftOut = log.reduce((sum, line) => sum + Number(line['left_out'] ?? 0), 0);
  expect(refused.length).toBeLessThanOrEqual(3_000 * minutes);
  expect(refused.length + leftOut).toBe(3_050);
});

describe('an audit that cannot be written', () => {
  test('holds up neither decisions nor changes, and has everything once it can', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'postern-audit-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const gateway = await startGateway({ config, directory });
    const address = gateway.addresses.authenticated ?? '';
    const admin = await adminOf(gateway);
    const other = new DatabaseSync(join(gateway.directory, 'activity.db'));
    other.exec('BEGIN IMMEDIATE');
    const statuses = [
      (await admin.send('POST', '/api/users', { username: 'vera', password: goodPassword, role: 'viewer' }))
        .status,
      (await visitor(address).logIn('vera', goodPassword)).status,
      (await visitor(address).send('GET', '/vod/garage')).status,
      (await admin.send('GET', '/postern/api/audit')).status,
    ];
    const began = performance.now();
    for (let i = 0; i < 50; i += 1) await admin.send('GET', '/api/profile');
    const took = performance.now() - began;
    other.exec('ROLLBACK');
    other.close();
    expect(statuses).toEqual([201, 200, 401, 200]);
    expect(took).toBeLessThan(10_000 * slowness);
    expect(gateway.log.filter(({ msg }) => String(msg).includes('cannot be stored'))).toHaveLength(1);
    await gateway.close();
    const events = gateway.log.map(({ event }) => event).filter((event) => typeof event === 'string');
    const recorded = (await command(directory, ['audit', '--json', '--limit', '500']))
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as AuditRecord).event);
    expect(recorded.sort()).toEqual(events.sort());
    expect(recorded).toEqual(expect.arrayContaining(['user_added', 'login', 'refused']));
  });
});
