import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUsersTo, secret, sessionToken } from '../../support/session-tokens.ts';
import { goodPassword, visitor, type Visitor } from '../../support/log-in.ts';
import { createDatabase, startPostgresCluster } from '../../support/postgres-cluster.ts';
import { browserKeys, startPushService } from '../../support/push-service.ts';
import { alertsOf, startHttpReceiver } from '../../support/receivers.ts';
import { startGates, type Gate } from '../../support/start-gates.ts';
import { startRecorder, type Recorder } from '../../support/start-recorder.ts';
import { patience } from '../../support/patience.ts';

/* Three gates on one PostgreSQL: each alert and each push is sent once, whichever gate noticed it, and when one of them is gone. */

let gates: readonly Gate[];
let recorder: Recorder;
let hook: Awaited<ReturnType<typeof startHttpReceiver>>;
let service: Awaited<ReturnType<typeof startPushService>>;
const closing = new AsyncDisposableStack();
beforeAll(async () => {
  hook = await startHttpReceiver();
  closing.defer(hook.close);
  service = await startPushService();
  closing.defer(service.close);
  recorder = await startRecorder(['porch'], {});
  closing.defer(recorder.close);
  const cluster = await startPostgresCluster();
  closing.defer(cluster.close);
  const database = await createDatabase(cluster.address);
  const house = await startGates({
    count: 3,
    database,
    jwtSecret: secret,
    config: {
      upstream: `http://${recorder.address}`,
      cameras: ['porch'],
      notifications: {
        push_services: [service.origin],
        targets: [{ type: 'webhook', url: hook.url, secret: 'a secret of the webhook' }],
      },
    },
  });
  closing.defer(house.close);
  await addUsersTo(database);
  gates = house.gates;
});
afterAll(() => closing.disposeAsync());

const adminAt = (gate: Gate | undefined): Visitor =>
  Object.assign(visitor(gate?.address ?? ''), { token: sessionToken('admin', 'admin') });

test('an alert is sent once, whichever gate noticed it', async () => {
  for (const [index, gate] of gates.entries()) {
    const made = { username: `viewer${index}`, password: goodPassword, role: 'viewer' };
    expect((await adminAt(gate).send('POST', '/api/users', made)).status).toBe(201);
    const reset = { password: `${goodPassword} again` };
    const answer = await adminAt(gate).send('PUT', `/api/users/viewer${index}/password`, reset);
    expect(answer.status, answer.body).toBe(200);
  }
  const toldOf = () =>
    alertsOf(hook.received)
      .filter(({ event }) => event === 'password_changed')
      .map(({ user = '' }) => user)
      .toSorted();
  await expect.poll(toldOf).toEqual(['viewer0', 'viewer1', 'viewer2']);
  // Long enough for any other gate to send it again.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(toldOf()).toEqual(['viewer0', 'viewer1', 'viewer2']);
});

test('a push is sent once, and by another gate when the one that sends is gone', async () => {
  const browser = browserKeys();
  const body = { endpoint: `${service.origin}/admin`, keys: browser.keys };
  const answer = await adminAt(gates[0]).send('POST', '/postern/api/push', body);
  expect(answer.status, answer.body).toBe(201);
  let told = 0;
  const tell = () => {
    told += 1;
    const start = Date.now() / 1_000;
    const after = {
      id: `${start}-p${told}`,
      camera: 'porch',
      severity: 'alert',
      start_time: start,
      data: {},
    };
    recorder.tell('reviews', { type: 'new', after });
    return after.id;
  };
  const tags = () =>
    service.received.map((push) => (JSON.parse(browser.decrypt(push.body)) as { tag: string }).tag);
  const untilHeard = async () => {
    const ids: string[] = [];
    await expect
      .poll(
        () => {
          ids.push(tell());
          return tags().some((tag) => ids.includes(tag));
        },
        { timeout: patience, interval: 500 },
      )
      .toBe(true);
  };
  await untilHeard();
  await untilHeard();
  expect(new Set(tags()).size).toBe(tags().length);
  // The one with the lease is among them.
  await gates[0]?.end();
  await gates[1]?.end();
  await untilHeard();
  expect(new Set(tags()).size).toBe(tags().length);
});
