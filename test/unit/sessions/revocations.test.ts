import { expect, test } from 'vitest';
import { createRevocations } from '../../../src/sessions/revocations.ts';
import { temporaryDirectory, temporaryStore } from '../store/temporary-store.ts';

test('a session is revoked, and nothing else, and twice is once', async () => {
  const revocations = createRevocations(await temporaryStore(), () => 1_000);
  for (let i = 0; i < 2; i += 1) await revocations.revoke('s1', 2_000);
  expect(await revocations.isRevoked('s1')).toBe(true);
  for (const other of ['s2', 'S1', 's1 ', '', '%']) expect(await revocations.isRevoked(other)).toBe(false);
});

test('a revocation is there for another connection, at once', async () => {
  const directory = temporaryDirectory();
  const [one, other] = [await temporaryStore(directory), await temporaryStore(directory)];
  await createRevocations(one, () => 1_000).revoke('s1', 2_000);
  expect(await createRevocations(other, () => 1_000).isRevoked('s1')).toBe(true);
});

test.each<[expiresAt: number, now: number, kept: boolean]>([
  [2_000, 1_999, true],
  [2_000, 2_000, true],
  [2_000, 2_001, false],
  [1_999.2, 1_999.9, true],
])('one that expires at %d is kept at %d: %j', async (expiresAt, now, kept) => {
  const revocations = createRevocations(await temporaryStore(), () => now);
  await revocations.revoke('s1', expiresAt);
  await revocations.prune();
  expect(await revocations.isRevoked('s1')).toBe(kept);
});
