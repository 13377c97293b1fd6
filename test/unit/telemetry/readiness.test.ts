import { expect, test } from 'vitest';
import { createReadiness, type ReadinessCheck } from '../../../src/telemetry/readiness.ts';

function world() {
  let milliseconds = 0;
  const looks = { store: 0, extra: 0 };
  const broken = new Set<string>();
  const told: unknown[] = [];
  const check = (name: 'store' | 'extra', isRequired: boolean): ReadinessCheck => ({
    name,
    isRequired,
    look: async () => {
      looks[name] += 1;
      if (broken.has(name)) throw new Error(`/secret/${name}`);
    },
  });
  const readiness = createReadiness(
    [check('store', true), check('extra', false)],
    (name, finding, cause) => told.push([name, finding, (cause as Error | undefined)?.message]),
    () => milliseconds,
  );
  return { readiness, looks, broken, told, wait: (more: number) => void (milliseconds += more) };
}

test('is ready, degraded or unready, with the result of each check', async () => {
  const { readiness, broken, wait, told } = world();
  const now = async () => {
    wait(1_000);
    return readiness();
  };
  expect(await now()).toEqual({ status: 'ready', checks: { store: 'ok', extra: 'ok' } });
  broken.add('extra');
  expect(await now()).toEqual({ status: 'degraded', checks: { store: 'ok', extra: 'failed' } });
  broken.add('store');
  expect(await now()).toEqual({ status: 'unready', checks: { store: 'failed', extra: 'failed' } });
  broken.clear();
  expect(await now()).toEqual({ status: 'ready', checks: { store: 'ok', extra: 'ok' } });
  expect(told).toEqual([
    ['extra', 'failed', '/secret/extra'],
    ['store', 'failed', '/secret/store'],
    ['store', 'ok', undefined],
    ['extra', 'ok', undefined],
  ]);
});

test('a flood of requests causes one check a second', async () => {
  const { readiness, looks, broken, wait } = world();
  await Promise.all(Array.from({ length: 1_000 }, () => readiness()));
  expect(looks).toEqual({ store: 1, extra: 1 });
  broken.add('store');
  wait(999);
  expect((await readiness()).status).toBe('ready');
  wait(1);
  expect((await readiness()).status).toBe('unready');
  expect(looks.store).toBe(2);
});

test('reports a lasting failure once', async () => {
  const { readiness, broken, told, wait } = world();
  broken.add('store');
  for (let i = 0; i < 5; i += 1) {
    await readiness();
    wait(1_000);
  }
  expect(told).toEqual([['store', 'failed', '/secret/store']]);
});
