import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { onlyIf, permissionBy, unconditional, type Reading } from '../../../src/store/permit.ts';
import type { Store } from '../../../src/store/store.ts';

const on = {} as Reading;

test.each<[role: string, isAsked: boolean]>([
  ['admin', true],
  ['guard', true],
  ['viewer', false],
  ['family', false],
])('the role %s is given with a proof alone: %s', (role, isAsked) => {
  let asked = 0;
  const { grant } = permissionBy(
    () => (asked += 1),
    (name) => name === 'guard',
  );
  expect(grant(role)).toBe(role);
  expect(asked).toBe(isAsked ? 1 : 0);
});

test('writes nothing without a proof', () => {
  const { grant, prove, requireProof } = permissionBy(() => {
    throw new Error('no proof');
  });
  for (const ask of [() => grant('admin'), () => prove('a hash'), requireProof])
    expect(ask).toThrow('no proof');
  expect(grant('viewer')).toBe('viewer');
});

test('a change without a request counts as proven while its condition holds', async () => {
  expect((await unconditional(on)).grant('admin')).toBe('admin');
  expect((await onlyIf(async () => undefined)(on)).prove('a hash')).toBe('a hash');
  const refused = onlyIf(() => Promise.reject(new Error('gone')));
  await expect(refused(on)).rejects.toThrow('gone');
});

// Checked by the compiler: a write of a right without a permission does not compile.
test('the tables accept no plain text as role, password or factor', () => {
  const roads = (store: Store) =>
    store.change(unconditional, async (write, { grant, prove }) => {
      // @ts-expect-error a plain text
      await write.updateTable('users').set({ role: 'admin' }).execute();
      // @ts-expect-error a plain text
      await write.updateTable('api_tokens').set({ role: 'admin' }).execute();
      // @ts-expect-error a plain text
      await write.updateTable('users').set({ password_hash: 'h' }).execute();
      // @ts-expect-error a plain text
      await write.updateTable('one_time_codes').set({ secret: 's' }).execute();
      // @ts-expect-error a plain text
      await write.updateTable('passkeys').set({ public_key: 'k' }).execute();
      // @ts-expect-error a plain text
      await write.insertInto('recovery_codes').values({ code_hash: 'h', username: 'olaf' }).execute();
      await write
        .updateTable('users')
        .set({ role: grant('admin'), password_hash: prove('h') })
        .execute();
    });
  expect(roads).toBeTypeOf('function');
});

test('only the endpoints of logout and federated login need no permit of a request', () => {
  const ofFeatures = globSync('src/features/**/*.ts').filter((file) =>
    /\b\w*endpoint\(\{/i.test(readFileSync(file, 'utf8')),
  );
  const files = [...globSync('src/api/**/*.ts'), ...ofFeatures];
  expect(files.length).toBeGreaterThan(50);
  const without = files.filter((file) =>
    /\b(?:unconditional|onlyIf|permissionBy)\b/.test(readFileSync(file, 'utf8')),
  );
  expect(without.toSorted()).toEqual([
    'src/api/login/logout.ts',
    'src/api/permit.ts',
    'src/api/require-step-up.ts',
    'src/features/oidc/endpoints.ts',
  ]);
});
