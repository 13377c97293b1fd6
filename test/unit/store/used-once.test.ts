import { expect, test } from 'vitest';
import { unconditional } from '../../../src/store/permit.ts';
import { useOnce } from '../../../src/store/used-once.ts';
import { pruneSignOn } from '../../../src/features/oidc/provider-sessions.ts';
import { clockAt } from '../../support/clock-at.ts';
import { temporaryStore } from './temporary-store.ts';

test('accepts a value once for each purpose', async () => {
  const store = await temporaryStore();
  const use = (purpose: string, key: string) =>
    store.change(unconditional, (on) => useOnce(on, purpose, key, 1_800_000_000_000));
  expect(await Promise.all([use('state', 'a'), use('state', 'a')])).toEqual([true, false]);
  expect(await use('state', 'b')).toBe(true);
  expect(await use('code', 'a')).toBe(true);
});

test('a rollback leaves a value unused', async () => {
  const store = await temporaryStore();
  const use = (work: () => void) =>
    store.change(unconditional, async (on) => {
      const used = await useOnce(on, 'state', 'a', 1_800_000_000_000);
      work();
      return used;
    });
  await expect(
    use(() => {
      throw new Error('not now');
    }),
  ).rejects.toThrow('not now');
  expect(await use(() => undefined)).toBe(true);
});

test('pruning keeps a used value until it expires', async () => {
  const store = await temporaryStore();
  const expiresAt = 1_999_900;
  const use = () => store.change(unconditional, (on) => useOnce(on, 'purpose', 'key', expiresAt));
  expect(await use()).toBe(true);
  await pruneSignOn(store, clockAt(expiresAt - 1));
  expect(await use()).toBe(false);
  await pruneSignOn(store, clockAt(expiresAt + 2_000));
  expect(await use()).toBe(true);
});
