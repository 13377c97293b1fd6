import { expect, test } from 'vitest';
import { createReloadRecord } from '../../../src/config/reload-report.ts';
import { resolve } from './resolve-document.ts';

function start(document: Record<string, unknown> = {}) {
  let now = 1_000;
  const record = createReloadRecord(resolve(document), { now: () => now });
  return { record, step: () => void (now += 1_000) };
}

const problem = { path: 'auth.enabled', found: 'text', allowed: 'true or false' };

test('at the start everything is current, and nothing was tried since', () => {
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

test('an attempt that failed leaves the current configuration, and what waits, as it was', () => {
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

test('the hash is of the current configuration, since it was applied', () => {
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

test('secrets have no part in the hash', () => {
  const hashOf = (auth_secret: string, secret: string) =>
    start({ proxy: { auth_secret }, fronts: { secret } }).record.read().hash;
  expect(hashOf('one secret', 'a secret of fronts')).toBe(hashOf('another', 'another secret of fronts'));
});
