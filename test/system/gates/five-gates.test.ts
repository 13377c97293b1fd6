import { afterAll, beforeAll, expect, test } from 'vitest';
import { visitor } from '../../support/log-in.ts';
import type { PostgresDatabase } from '../../support/postgres-cluster.ts';
import { emptyDatabase } from '../../support/postgres.ts';
import { prepareGates, startNginxBefore, type Gate } from '../../support/start-gates.ts';
import type { RunningNginx } from '../../support/start-nginx.ts';

/* Five gates that start at once on an empty store, behind nginx. Each test continues where the one before ended. */

let database: PostgresDatabase;
let gates: readonly [Gate, ...Gate[]];
let nginx: RunningNginx;
const closing = new AsyncDisposableStack();
beforeAll(async () => {
  database = await emptyDatabase();
  const auth = { failed_login_rate_limit: '5/hour' };
  const house = await prepareGates({ count: 5, database, config: { auth } });
  closing.defer(house.close);
  gates = house.gates as readonly [Gate, ...Gate[]];
  await Promise.all(gates.map((gate) => gate.start()));
  nginx = await startNginxBefore(house);
  closing.defer(nginx.close);
});
afterAll(() => closing.disposeAsync());

/**
 * Asks again when the store was too busy to count, which lets no one through.
 * @param address of nginx, or of a gate as nginx asks it
 */
const logIn = async (address: string, password: string): Promise<number> => {
  const from = [['X-Forwarded-For', '127.0.0.1']] as const;
  const { status } = await visitor(address).send('POST', '/api/login', { user: 'admin', password }, from);
  return status === 503 ? logIn(address, password) : status;
};

test('five gates that start at once make their tables once, and one admin, whose password is logged once', async () => {
  const printed = gates.flatMap(({ output }) =>
    [...output().matchAll(/password: ([^\s"\\]+)/g)].map(([, password = '']) => password),
  );
  expect(printed).toHaveLength(1);
  expect(await database.query('SELECT username, role FROM users')).toEqual([
    { username: 'admin', role: 'admin' },
  ]);
  expect(await logIn(nginx.authenticated, printed[0] ?? '')).toBe(200);
});

test('they count failed logins together, until all of them have stopped', async () => {
  const guesses = Array.from({ length: 200 }, () => logIn(nginx.authenticated, 'not this one'));
  const answers = await Promise.all(guesses);
  expect(new Set(answers)).toEqual(new Set([401, 429]));
  // A place may be taken whose owner was not answered in time.
  expect(answers.filter((status) => status === 401).length).toBeLessThanOrEqual(5);

  const [first, ...others] = gates;
  await first.end();
  await first.start();
  for (const { address } of gates) expect(await logIn(address, 'not this one')).toBe(429);

  await Promise.all(others.map((gate) => gate.end()));
  await first.end();
  await first.start();
  expect(await logIn(first.address, 'not this one')).toBe(401);
});

test('one that is too old for the tables names the version to start', async () => {
  const [first] = gates;
  await first.end();
  await database.query('UPDATE schema_version SET version = 1000, usable_from = 1000');
  await expect(first.start()).rejects.toThrow('start the newer program');
});
