import { expect, onTestFinished, test } from 'vitest';
import { systemTimers } from '../../../../src/clock.ts';
import { alertEvents, type AlertEvent } from '../../../../src/config/notifications-section.ts';
import type { AlertTarget, WebhookTarget } from '../../../../src/config/resolve-notifications.ts';
import { createDispatcher } from '../../../../src/features/alerts/dispatcher.ts';
import { createOutbox } from '../../../../src/features/alerts/outbox.ts';
import { unconditional, type About } from '../../../../src/store/permit.ts';
import { createLogger } from '../../../../src/telemetry/logger.ts';
import { startHttpReceiver, startMailServer } from '../../../support/receivers.ts';
import { temporaryVersionedStore } from '../../store/temporary-store.ts';

const target = (url: string): WebhookTarget => ({ type: 'webhook', url, secret: 'x', mayBePrivate: true });

/** A dispatcher whose rounds are run by hand; answers take as long as they do. */
async function dispatching(
  targets: readonly AlertTarget[],
  events: readonly AlertEvent[] = ['admin_made', 'email_changed', 'invitation_used'],
) {
  const { store, version } = await temporaryVersionedStore();
  let now = Date.now();
  const clock = { now: () => now };
  let over = Promise.withResolvers<() => void>();
  const unanswered = new Set<() => void>();
  const dispatcher = createDispatcher({
    outbox: createOutbox(store, clock),
    storeVersion: version,
    settings: () => ({
      notifications: {
        targets,
        events: new Set(events),
        pushServices: [],
      },
      house: 'Willow Lane',
      pageAt: () => undefined,
    }),
    mailboxOf: async (whose) => {
      const name = 'userId' in whose ? whose.userId : whose.username;
      return { userId: name, email: `${name}@home.example` };
    },
    clock,
    timers: {
      elapsed: () => now,
      after: (milliseconds, run) => {
        if (milliseconds === 45_000) {
          unanswered.add(run);
          return () => unanswered.delete(run);
        }
        if (milliseconds !== 1_000) return systemTimers.after(milliseconds, run);
        over.resolve(run);
        return () => undefined;
      },
    },
    logger: createLogger('silent', { write: () => undefined }),
  });
  return {
    store,
    dispatcher,
    alert: (event: AlertEvent, about: About) =>
      store.change(unconditional, (_on, { alert }) => alert(event, about)),
    /** Counts the deliveries that were begun. */
    underWay: async (by: 'mail' | 'webhook') => {
      const rows = await store.selectFrom('outbox').select('target').where('attempts', '>', 0).execute();
      return rows.filter(({ target: to }) => /^(?:user|former):/.test(to ?? '') === (by === 'mail')).length;
    },
    /** Nothing answered in time. */
    timeOut: () => {
      for (const run of unanswered) run();
    },
    /** Starts it, and returns when the first round has taken what it sends. */
    start: async () => {
      dispatcher.start();
      await over.promise;
    },
    /** Another round. */
    next: async () => {
      const run = await over.promise;
      over = Promise.withResolvers();
      now += 500;
      run();
      await over.promise;
    },
  };
}

test('two targets at one address get an alert each', async () => {
  const receiver = await startHttpReceiver();
  onTestFinished(receiver.close);
  const { dispatcher, alert, start } = await dispatching([target(receiver.url), target(receiver.url)]);
  await alert('admin_made', { user: 'ada' });
  await start();
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
  const targets = [target(dead.url), target(receiver.url)];
  const { store, dispatcher, alert, start, next } = await dispatching(targets);
  for (let i = 0; i < 40; i += 1) await alert('admin_made', { user: `user${i}` });
  await start();
  // The dead target was there first, and has as many alerts waiting.
  for (let round = 1; round <= 10; round += 1) {
    await expect.poll(() => receiver.received.length).toBe(Math.min(round * 4, 40));
    const left = () => store.selectFrom('outbox').selectAll().where('attempts', '>', 0).execute();
    // What was sent is written down, so that the next round finds room.
    await expect.poll(async () => (await left()).length).toBeLessThanOrEqual(4);
    await next();
  }
  const rows = await store.selectFrom('outbox').selectAll().execute();
  expect(rows).toHaveLength(40);
  expect(rows.filter(({ attempts }) => attempts > 0)).toHaveLength(4);
  void dispatcher.close();
});

const mailServerAt = (url: string): AlertTarget => ({
  type: 'mail',
  url,
  from: 'gate@home.example',
  to: [],
  mayBePrivate: true,
});
const toUser = (n: number) => ['admin_made', { user: `user${n}` }] as const;
const toFormer = (n: number) => ['email_changed', { object: `user${n}@home.example` }] as const;

test.each<[whom: string, alertAt: (n: number) => readonly [AlertEvent, About], most: number]>([
  ['users', toUser, 8],
  ['former addresses', toFormer, 8],
  ['users and former addresses', (n) => (n % 2 === 0 ? toUser(n) : toFormer(n)), 8],
  ['one user', () => toUser(0), 1],
])('of mails to %s, few are under way at once, and all arrive', async (_, alertAt, most) => {
  const accepting = Promise.withResolvers<void>();
  const server = await startMailServer(undefined, accepting.promise);
  onTestFinished(server.close);
  const { dispatcher, alert, start, next, underWay } = await dispatching([mailServerAt(server.url)]);
  for (let n = 0; n < 11; n += 1) await alert(...alertAt(n));
  await start();
  expect(await underWay('mail')).toBe(most);
  await alert(...alertAt(11));
  await next();
  expect(await underWay('mail')).toBe(most);
  accepting.resolve();
  await expect
    .poll(async () => {
      await next();
      return server.mails.length;
    })
    .toBe(12);
  void dispatcher.close();
});

test('webhooks that never answer take no room of mails', async () => {
  const accepting = Promise.withResolvers<void>();
  const silent = await startHttpReceiver(() => ({ status: 204, after: 60_000 }));
  const server = await startMailServer(undefined, accepting.promise);
  onTestFinished(async () => void (await Promise.all([silent.close(), server.close()])));
  const targets = [target(silent.url), target(silent.url), mailServerAt(server.url)];
  const { dispatcher, alert, start, next, underWay } = await dispatching(targets);
  for (let n = 0; n < 4; n += 1) await alert(...toUser(n));
  await start();
  expect([await underWay('webhook'), await underWay('mail')]).toEqual([8, 4]);
  await alert(...toUser(4));
  await next();
  expect([await underWay('webhook'), await underWay('mail')]).toEqual([8, 5]);
  accepting.resolve();
  void dispatcher.close();
});

test.each<[what: string, event: AlertEvent, about: About, targets: readonly string[]]>([
  ['an alert of a user', 'admin_made', { user: 'ada' }, ['named', 'user:ada']],
  ['an alert of no user', 'admin_made', {}, ['named']],
  ['an alert that names a user, but is for admins', 'invitation_used', { user: 'ada' }, ['named']],
  ['an alert that is switched off', 'token_made', { user: 'ada' }, []],
])('%s is sent to whom it concerns', async (_, event, about, targets) => {
  const accepting = Promise.withResolvers<void>();
  const server = await startMailServer(undefined, accepting.promise);
  onTestFinished(server.close);
  const mail = { ...mailServerAt(server.url), to: ['admin@home.example'] };
  const { store, dispatcher, alert, start } = await dispatching([mail]);
  await alert(event, about);
  await start();
  const rows = await store.selectFrom('outbox').select('target').execute();
  const named = rows.map(({ target: to }) => (/^\w{32}$/.test(to ?? '') ? 'named' : to));
  expect(new Set(named)).toEqual(new Set(targets));
  accepting.resolve();
  void dispatcher.close();
});

test('users get a mail about their own account only', async () => {
  const accepting = Promise.withResolvers<void>();
  const server = await startMailServer(undefined, accepting.promise);
  onTestFinished(server.close);
  const events = Object.keys(alertEvents) as AlertEvent[];
  const { store, dispatcher, alert, start } = await dispatching([mailServerAt(server.url)], events);
  for (const event of events) await alert(event, { user: event });
  await start();
  const rows = await store.selectFrom('outbox').select('target').orderBy('created_at').execute();
  expect(new Set(rows.map(({ target: to }) => to))).toEqual(
    new Set([
      'user:new_device',
      'user:admin_made',
      'user:password_changed',
      'user:factor_added',
      'user:factor_removed',
      'user:token_made',
      'user:display_paired',
      'user:display_copied',
      'user:share_made',
      'user:share_opened',
    ]),
  );
  accepting.resolve();
  void dispatcher.close();
});

test('what a target does not answer in time waits, and is sent again', async () => {
  const silent = await startHttpReceiver(() => ({ status: 204, after: 60_000 }));
  onTestFinished(silent.close);
  const { store, dispatcher, alert, start, timeOut } = await dispatching([target(silent.url)]);
  await alert('admin_made', { user: 'ada' });
  await start();
  await expect.poll(() => silent.received.length).toBe(1);
  const due = async () =>
    (await store.selectFrom('outbox').select('due_at').execute()).map(({ due_at }) => due_at);
  const [leased] = await due();
  timeOut();
  // After ten seconds, and not after the minute of a gate that has stopped.
  await expect.poll(due).toEqual([(leased ?? 0) - 50]);
  void dispatcher.close();
});

test('what is sent without the store is what is switched on', async () => {
  const receiver = await startHttpReceiver();
  onTestFinished(receiver.close);
  const { dispatcher } = await dispatching([target(receiver.url)]);
  for (const event of ['token_made', 'admin_made'] as const)
    await dispatcher.sendNow({ event, at: 0, count: 1, user: 'ada' });
  expect(receiver.received.map(({ body }) => (JSON.parse(body) as { event: string }).event)).toEqual([
    'admin_made',
  ]);
});
