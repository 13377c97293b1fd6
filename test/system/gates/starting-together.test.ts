import { expect, onTestFinished, test } from 'vitest';
import { visitor } from '../../support/log-in.ts';
import { emptyDatabase } from '../../support/postgres.ts';
import { prepareGates } from '../../support/start-gates.ts';

test('five gates that start at once on an empty store make one admin and its tables once', async () => {
  const database = await emptyDatabase();
  const house = await prepareGates({ count: 5, database });
  onTestFinished(house.close);
  const { gates } = house;
  await Promise.all(gates.map((gate) => gate.start()));
  const printed = gates.flatMap(({ output }) =>
    [...output().matchAll(/password: ([^\s"\\]+)/g)].map(([, password = '']) => password),
  );
  expect(printed).toHaveLength(1);
  expect(await database.query('SELECT username, role FROM users')).toEqual([
    { username: 'admin', role: 'admin' },
  ]);
  for (const { address } of gates.slice(-2))
    expect((await visitor(address).logIn('admin', printed[0] ?? '')).status).toBe(200);

  const [last] = gates;
  await last?.end();
  await database.query('UPDATE schema_version SET version = 1000, usable_from = 1000');
  await expect(last?.start()).rejects.toThrow('start the newer program');
});
