import { expect, onTestFinished, test } from 'vitest';
import { systemTimers } from '../../../src/clock.ts';
import type { WebhookTarget } from '../../../src/config/resolve-notifications.ts';
import { createDispatcher } from '../../../src/notifications/dispatcher.ts';
import { createOutbox } from '../../../src/notifications/outbox.ts';
import { unconditional } from '../../../src/store/permit.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { startHttpReceiver } from '../../support/receivers.ts';
import { temporaryVersionedStore } from '../store/temporary-store.ts';

const target = (url: string): WebhookTarget => ({ type: 'webhook', url, secret: 'x', mayBePrivate: true });

/** A dispatcher whose rounds are run by hand; answers take as long as they do. */
async function dispatching(urls: readonly string[]) {
  const { store, version } = await temporaryVersionedStore();
  let now = Date.now();
  const clock = { now: () => now };
  let next = () => {};
  const dispatcher = createDispatcher({
    outbox: createOutbox(store, clock),
    storeVersion: version,
    settings: () => ({
      notifications: { targets: urls.map(target), events: new Set(['admin_made']), pushServices: [] },
      house: 'Willow Lane',
      pageAt: () => undefined,
    }),
    mailboxOf: async () => undefined,
    clock,
    timers: {
      elapsed: () => now,
      after: (milliseconds, run) => {
        if (milliseconds !== 1_000) return systemTimers.after(milliseconds, run);
        next = run;
        return () => undefined;
      },
    },
    logger: createLogger('silent', { write: () => undefined }),
  });
  return {
    store,
    dispatcher,
    alert: (user: string) => store.change(unconditional, (_on, { alert }) => alert('admin_made', { user })),
    next: () => {
      now += 500;
      next();
    },
  };
}

test('two targets at one address get an alert each', async () => {
  const receiver = await startHttpReceiver();
  onTestFinished(receiver.close);
  const { dispatcher, alert } = await dispatching([receiver.url, receiver.url]);
  await alert('ada');
  dispatcher.start();
  await expect.poll(() => receiver.received.length).toBe(2);
  await dispatcher.close();
});

test.each([
  ['refuses connections', 'closed'],
  ['never answers', 'silent'],
  ['answers with an error', 'broken'],
] as const)('a target that %s delays no other, whatever waits for it', async (_, kind) => {
  const receiver = await startHttpReceiver();
  const dead = await startHttpReceiver(() => ({ status: 503, after: kind === 'silent' ? 60_000 : 0 }));
  if (kind === 'closed') await dead.close();
  onTestFinished(async () => {
    await receiver.close();
    if (kind !== 'closed') await dead.close();
  });
  const { store, dispatcher, alert, next } = await dispatching([dead.url, receiver.url]);
  for (let i = 0; i < 40; i += 1) await alert(`user${i}`);
  dispatcher.start();
  // The dead target was there first, and has as many alerts waiting.
  for (let round = 1; round <= 10; round += 1) {
    await expect.poll(() => receiver.received.length).toBe(Math.min(round * 4, 40));
    const left = () => store.selectFrom('outbox').selectAll().where('attempts', '>', 0).execute();
    // What was sent is written down, so that the next round finds room.
    await expect.poll(async () => (await left()).length).toBeLessThanOrEqual(4);
    next();
  }
  const rows = await store.selectFrom('outbox').selectAll().execute();
  expect(rows).toHaveLength(40);
  expect(rows.filter(({ attempts }) => attempts > 0)).toHaveLength(4);
  void dispatcher.close();
});
