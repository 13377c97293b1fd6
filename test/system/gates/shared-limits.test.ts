import { expect, onTestFinished, test } from 'vitest';
import { visitor } from '../../support/log-in.ts';
import { emptyDatabase } from '../../support/postgres.ts';
import { startGates, startNginxBefore, type Gate } from '../../support/start-gates.ts';

test('three gates count failed logins together, until all of them have ended', async () => {
  const database = await emptyDatabase();
  const auth = { failed_login_rate_limit: '5/hour' };
  const house = await startGates({ count: 3, database, config: { auth } });
  onTestFinished(house.close);
  const { gates } = house;
  const nginx = await startNginxBefore(house);
  onTestFinished(nginx.close);
  /** @param address of nginx, or of a gate as nginx asks it */
  const guess = async (address: string) => {
    const body = { user: 'admin', password: 'not this one' };
    const from = [['X-Forwarded-For', '127.0.0.1']] as const;
    return (await visitor(address).send('POST', '/api/login', body, from)).status;
  };

  const answers = await Promise.all(Array.from({ length: 200 }, () => guess(nginx.authenticated)));
  expect(answers.filter((status) => status === 401)).toHaveLength(5);
  expect(answers.filter((status) => status === 429)).toHaveLength(195);

  const [first, ...others] = gates as readonly [Gate, ...Gate[]];
  await first.end();
  await first.start();
  for (const { address } of gates) expect(await guess(address)).toBe(429);

  await Promise.all(gates.map((gate) => gate.end()));
  await Promise.all(others.map((gate) => gate.start()));
  expect(await guess(nginx.authenticated)).toBe(401);
});
