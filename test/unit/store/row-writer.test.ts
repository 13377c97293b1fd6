import type { Selectable } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { ActivityTables } from '../../../src/store/activity-schema.ts';
import { createRowWriter } from '../../../src/store/row-writer.ts';
import { temporaryActivity } from './temporary-store.ts';

type Row = Selectable<ActivityTables['seen_sessions']>;

const first: Row = {
  session_id: 'a',
  username: 'vera',
  session_generation: 'g',
  began_at: 10,
  last_seen_at: 20,
  expires_at: 30,
  address: '192.0.2.1',
  agent: 'one',
};
const second: Row = {
  ...first,
  began_at: 15,
  last_seen_at: 18,
  expires_at: 40,
  address: null,
  agent: 'two',
};

async function writer() {
  const activity = await temporaryActivity();
  const rows = createRowWriter<'session_id', Row>({
    activity,
    table: 'seen_sessions',
    key: 'session_id',
    columns: {
      username: 'later',
      session_generation: 'later',
      began_at: 'least',
      last_seen_at: 'greatest',
      expires_at: 'sum',
      address: 'later',
      agent: 'later',
    },
    interval: 60_000,
    batch: 10,
    most: 100,
    onError: (error) => {
      throw error;
    },
  });
  onTestFinished(rows.close);
  const written = () => activity.selectFrom('seen_sessions').selectAll().execute();
  return { rows, written };
}

test.each([
  ['before either is written', false],
  ['once the first is written', true],
])('rows of one key become the same row, %s', async (_, isWritten) => {
  const { rows, written } = await writer();
  rows.put(first);
  if (isWritten) await rows.flush();
  rows.put(second);
  const expected = { ...second, began_at: 10, last_seen_at: 20, expires_at: 70 };
  expect(await rows.list()).toEqual([expected]);
  expect(await written()).toEqual([expected]);
});

test('a removed row is gone, and a later one inherits nothing from it', async () => {
  const { rows, written } = await writer();
  rows.put(first);
  await rows.flush();
  rows.remove('a');
  await rows.flush();
  expect(await written()).toEqual([]);
  rows.put(second);
  expect(await rows.list()).toEqual([second]);
});

test('deletes rows of all other keys', async () => {
  const { rows, written } = await writer();
  for (const id of ['c', 'a', 'b']) rows.put({ ...first, session_id: id });
  await rows.keep(new Set(['b']));
  expect((await written()).map(({ session_id: id }) => id)).toEqual(['b']);
});
