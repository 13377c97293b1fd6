import { expect, test } from 'vitest';
import { createReloadRecord } from '../../../src/config/reload-report.ts';
import { resolve } from './resolve-document.ts';

function start(document: Record<string, unknown> = {}) {
  let now = 1_000;
  const record = createReloadRecord(resolve(document), { now: () => now });
  return { record, step: () => void (now += 1_000) };
}

const problem = { path: 'auth.enabled', found: 'text', allowed: 'true or false' };

test('starts with a current configuration and no reloads', () => {
  const { record } = start();
  expect(record.read()).toMatchObject({
    successful: true,
    cause: 'start',
    problems: [],
    waiting: [],
    since: 1_000,
    reloads: { success: 0, failure: 0 },
  });
});

test('a failed attempt keeps the current configuration and the waiting keys', () => {
  const { record, step } = start();
  record.succeed('SIGHUP', ['tls.enabled']);
  const before = record.read();
  step();
  record.fail('a file changed', [problem]);
  expect(record.read()).toEqual({
    ...before,
    successful: false,
    cause: 'a file changed',
    at: 2_000,
    problems: [problem],
    reloads: { success: 1, failure: 1 },
  });
  record.succeed('a file changed', []);
  expect(record.read()).toMatchObject({ successful: true, problems: [], waiting: [] });
});

test('the hash changes when a configuration is applied', () => {
  const { record, step } = start({ auth: { roles: { street: ['front'] } } });
  const first = record.read();
  step();
  const changed = resolve({ auth: { roles: { street: ['garage'] } } });
  record.apply(changed);
  expect(record.read().hash).not.toBe(first.hash);
  expect(record.read().since).toEqual(2_000);
  step();
  record.apply({ ...changed });
  expect(record.read().since).toEqual(2_000);
});

test('the hash does not depend on secrets', () => {
  const hashOf = (auth_secret: string, secret: string) =>
    start({ proxy: { auth_secret }, fronts: { secret } }).record.read().hash;
  expect(hashOf('one secret', 'a secret of fronts')).toBe(hashOf('another', 'another secret of fronts'));
});
