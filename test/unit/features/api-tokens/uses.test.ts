import { beforeEach, expect, test } from 'vitest';
import { createApiTokenUses, type ApiTokenUses } from '../../../../src/features/api-tokens/uses.ts';
import type { Activity } from '../../../../src/store/store.ts';
import { isOnPostgres, temporaryActivity } from '../../store/temporary-store.ts';

let now: number;
let activity: Activity;
let uses: ApiTokenUses;
let errors: unknown[];
beforeEach(async () => {
  now = 1_000_000;
  errors = [];
  activity = await temporaryActivity();
  uses = createApiTokenUses(activity, { clock: { now: () => now }, onError: (error) => errors.push(error) });
});
const rows = () => activity.selectFrom('api_token_uses').selectAll().orderBy('token_id').execute();

test('records the last use at most once a minute', async () => {
  let asked = 0;
  const from = (address: string) => () => {
    asked += 1;
    return address;
  };
  uses.note('a', from('192.0.2.1'));
  now = 1_059_900;
  uses.note('a', from('192.0.2.2'));
  expect(asked).toBe(1);
  expect(await uses.list()).toEqual(new Map([['a', { at: 1_000_000, address: '192.0.2.1' }]]));
  now = 1_060_500;
  uses.note('a', from('192.0.2.3'));
  uses.note('b', from(''));
  await uses.close();
  expect(await rows()).toEqual([
    { token_id: 'a', last_used_at: 1_060, address: '192.0.2.3' },
    { token_id: 'b', last_used_at: 1_060, address: null },
  ]);
});

test('lists the uses that another process has recorded', async () => {
  uses.note('a', () => '192.0.2.1');
  uses.note('c', () => '');
  await uses.close();
  const other = createApiTokenUses(activity, { clock: { now: () => now }, onError: () => undefined });
  now += 60_000;
  other.note('b', () => '192.0.2.2');
  expect(await other.list()).toEqual(
    new Map([
      ['a', { at: 1_000_000, address: '192.0.2.1' }],
      ['b', { at: 1_060_000, address: '192.0.2.2' }],
      ['c', { at: 1_000_000, address: undefined }],
    ]),
  );
  await other.close();
});

test('keeps recording after the clock went back', async () => {
  uses.note('a', () => '192.0.2.1');
  now = 500_000;
  uses.note('a', () => '192.0.2.2');
  await uses.close();
  expect(await rows()).toEqual([{ token_id: 'a', last_used_at: 500, address: '192.0.2.2' }]);
});

test('deletes the uses of deleted tokens', async () => {
  for (const id of ['a', 'b', 'c']) uses.note(id, () => '192.0.2.1');
  await uses.prune(new Set(['b']));
  expect((await rows()).map(({ token_id: id }) => id)).toEqual(['b']);
  expect([...(await uses.list()).keys()]).toEqual(['b']);
});

test.skipIf(isOnPostgres())('reports a failing database, and throws nothing', async () => {
  await activity.schema.dropTable('api_token_uses').execute();
  uses.note('a', () => '192.0.2.1');
  await uses.close();
  expect(errors).toHaveLength(1);
});
