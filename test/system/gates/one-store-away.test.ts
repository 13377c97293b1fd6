import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUsersTo, secret, sessionToken } from '../../support/session-tokens.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { emptyDatabase } from '../../support/postgres.ts';
import { startGates, type Gate } from '../../support/start-gates.ts';
import { startNginx, type RunningNginx } from '../../support/start-nginx.ts';

/* Two gates behind nginx with several-gates.conf; one of them loses its way to the store. */

let gates: readonly Gate[];
let nginx: RunningNginx;
const closing = new AsyncDisposableStack();
beforeAll(async () => {
  const database = await emptyDatabase();
  const house = await startGates({ count: 2, database, jwtSecret: secret });
  closing.defer(house.close);
  await addUsersTo(database);
  gates = house.gates;
  nginx = await startNginx({
    gates: gates.map(({ directory }) => directory),
    recorder: `unix:${gates[0]?.directory}/events.sock`,
    tls: false,
  });
  closing.defer(nginx.close);
});
afterAll(() => closing.disposeAsync());

const cookie = ['Cookie', `session_token=${sessionToken('admin', 'admin')}`] as const;
const ask = (address: string, uri: string, headers: ReadonlyArray<readonly [string, string]> = []) =>
  sendRaw(address, { uri, headers: [cookie, ...headers] });

test.each(['cut', 'stall'] as const)('no request is refused after a %s', async (fault) => {
  const [, second] = gates as [Gate, Gate];
  second.link[fault]();
  const direct = () =>
    ask(second.address, '/auth', [
      ['X-Original-Method', 'GET'],
      ['X-Original-URL', '/api/events'],
    ]);
  // For a moment it remembers what it has read.
  await expect.poll(async () => (await direct()).status).toBe(503);
  expect((await direct()).headers.get('retry-after')).toEqual(['1']);

  const answers = [];
  for (let i = 0; i < 40; i += 1) answers.push(await ask(nginx.authenticated, '/api/events'));
  answers.push(
    ...(await Promise.all(Array.from({ length: 40 }, () => ask(nginx.authenticated, '/api/events')))),
  );
  for (let i = 0; i < 8; i += 1) answers.push(await ask(nginx.authenticated, '/api/profile'));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);

  second.link.restore();
  await expect.poll(async () => (await direct()).status).toBe(200);
});

test('without any store, the client is told to ask again, and not that it may not', async () => {
  for (const { link } of gates) link.cut();
  const statuses = async () => (await ask(nginx.authenticated, '/api/events')).status;
  await expect.poll(statuses).toBe(503);
  const answer = await ask(nginx.authenticated, '/api/events');
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, ['1']]);
  expect(JSON.parse(answer.body)).toMatchObject({ code: 'gate_away' });
});
