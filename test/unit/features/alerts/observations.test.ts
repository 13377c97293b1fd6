import { expect, test, vi } from 'vitest';
import type { Timers } from '../../../../src/clock.ts';
import type { AuditEntry } from '../../../../src/audit/audit-entry.ts';
import type { AlertEvent } from '../../../../src/config/notifications-section.ts';
import {
  createObservations,
  createSignInFailures,
  type Observations,
} from '../../../../src/features/alerts/observations.ts';
import type { QueuedAlert } from '../../../../src/store/outbox.ts';
import { createLogger } from '../../../../src/telemetry/logger.ts';
import { temporaryStore } from '../../store/temporary-store.ts';

/** Time that a test lets pass. */
function timersByHand() {
  let now = 0;
  const due: Array<{ readonly at: number; readonly run: () => void }> = [];
  const timers: Timers = {
    elapsed: () => now,
    after: (milliseconds, run) => {
      const timer = { at: now + milliseconds, run };
      due.push(timer);
      return () => void due.splice(due.indexOf(timer), 1);
    },
  };
  const pass = (milliseconds: number) => {
    const end = now + milliseconds;
    for (;;) {
      const next = due.filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)[0];
      if (next === undefined) break;
      due.splice(due.indexOf(next), 1);
      now = next.at;
      next.run();
    }
    now = end;
  };
  return { timers, pass };
}

function started() {
  const { timers, pass } = timersByHand();
  const onBurst = vi.fn<(count: number, address: string | undefined) => void>();
  const { note, close } = createSignInFailures(timers, onBurst);
  return {
    note: (times: number, from = '192.0.2.1') => Array.from({ length: times }, () => note(from)),
    pass,
    onBurst,
    close,
  };
}

const minute = 60_000;
const hour = 60 * minute;

test('ten thousand refusals in a minute are one alert, with their number and their address', () => {
  const { note, pass, onBurst } = started();
  note(10_000);
  pass(minute);
  expect(onBurst.mock.calls).toEqual([[10_000, '192.0.2.1']]);
});

test('from several addresses they have none', () => {
  const { note, pass, onBurst } = started();
  note(5);
  note(6, '192.0.2.2');
  pass(minute);
  expect(onBurst.mock.calls).toEqual([[11, undefined]]);
});

test('a few are people who mistype', () => {
  const { note, pass, onBurst } = started();
  for (let i = 0; i < 20; i += 1) {
    note(9);
    pass(minute);
  }
  expect(onBurst).not.toHaveBeenCalled();
});

test('an attack that goes on alerts once an hour, and the next one at once', () => {
  const { note, pass, onBurst } = started();
  for (let i = 0; i < 121; i += 1) {
    note(100);
    pass(minute);
  }
  expect(onBurst.mock.calls.map(([count]) => count)).toEqual([100, 6_000, 6_000]);
  pass(2 * hour);
  note(50);
  pass(minute);
  expect(onBurst.mock.calls.at(-1)).toEqual([50, '192.0.2.1']);
});

test('nothing comes after the end', () => {
  const { note, pass, onBurst, close } = started();
  note(100);
  close();
  pass(hour);
  expect(onBurst).not.toHaveBeenCalled();
});

/** Observations of a gate, and the alerts that they become. */
async function observing(isStoreAway = false) {
  const store = await temporaryStore();
  const { timers, pass } = timersByHand();
  let now = Math.ceil(Date.now() / 1_000) * 1_000;
  const sentAlone: QueuedAlert[] = [];
  const away = { selectFrom: () => undefined as never, change: () => Promise.reject(new Error('away')) };
  const observations = createObservations({
    store: isStoreAway ? ({ ...store, ...away } as never) : store,
    clock: { now: () => now },
    timers,
    logger: createLogger('silent', { write: () => undefined }),
    sendNow: async (alert) => void sentAlone.push(alert),
  });
  const { observe, note, close } = observations;
  return {
    note,
    pass: (milliseconds: number) => {
      now += milliseconds;
      pass(milliseconds);
    },
    /** Observes one after the other. */
    observe: async (...observed: ReadonlyArray<Parameters<typeof observe>>) => {
      for (const one of observed) {
        observe(...one);
        await close();
      }
    },
    observeAtOnce: async (...observed: ReadonlyArray<Parameters<typeof observe>>) => {
      for (const one of observed) observe(...one);
      await close();
    },
    alerts: async () => {
      await close();
      const rows = await store.selectFrom('outbox').select(['alert', 'due_at']).execute();
      const found = rows.map(({ alert }) => JSON.parse(alert) as QueuedAlert);
      return [...found, ...sentAlone].map(({ event, user, object, address, count }) =>
        [event, user, object, address, count].filter((part) => part !== undefined).join(' '),
      );
    },
  };
}

type Observed = Parameters<Observations['observe']>;
const once = (event: AlertEvent, key: string, object: string): Observed => [
  event,
  { key, forMs: hour, object },
];
/** A sign-in of vera or ada, whose devices are found in the store. */
const signIn = (user: string, device: string): Observed => [
  'new_device',
  { key: async () => `${user} ${device}`, forMs: 1_000 * hour, atMostHourly: user, user, object: device },
];
const failing = (user: string): Observed => [
  'new_device',
  { key: () => Promise.reject(new Error('away')), forMs: hour, atMostHourly: user, user },
];

test.each<
  [what: string, observed: readonly Observed[], alerts: readonly string[], alone?: readonly string[]]
>([
  [
    'the same twice',
    [once('recorder_away', 'a', 'first'), once('recorder_away', 'a', 'again')],
    ['recorder_away first 1'],
  ],
  [
    'two keys',
    [once('role_unverified', 'a', 'first'), once('role_unverified', 'b', 'second')],
    ['role_unverified first 1', 'role_unverified second 1'],
  ],
  [
    'two events with one key',
    [once('recorder_away', 'a', 'first'), once('role_unverified', 'a', 'second')],
    ['recorder_away first 1', 'role_unverified second 1'],
  ],
  [
    'several devices of one user, and one of another',
    [
      signIn('vera', 'tv'),
      signIn('vera', 'pc'),
      signIn('vera', 'tv'),
      signIn('vera', 'car'),
      signIn('ada', 'tv'),
    ],
    ['new_device vera tv 1', 'new_device vera car 2', 'new_device ada tv 1'],
    ['new_device vera tv 1', 'new_device vera pc 1', 'new_device vera car 1', 'new_device ada tv 1'],
  ],
  [
    'devices that cannot be told apart',
    [failing('vera'), failing('vera'), failing('ada')],
    ['new_device vera 1', 'new_device ada 1'],
  ],
])('%s are alerted once each, with the store and without it', async (_, observed, alerts, alone = alerts) => {
  for (const isStoreAway of [false, true]) {
    const gate = await observing(isStoreAway);
    await gate.observe(...observed);
    expect(await gate.alerts()).toEqual(isStoreAway ? alone : alerts);
  }
});

test.each([false, true])(
  'what is observed again after its time is alerted again (store away: %s)',
  async (isAway) => {
    const gate = await observing(isAway);
    await gate.observe(once('recorder_away', 'a', 'first'));
    gate.pass(hour - 1_000);
    await gate.observe(once('recorder_away', 'a', 'second'));
    gate.pass(2_000);
    await gate.observe(once('recorder_away', 'a', 'third'));
    expect(await gate.alerts()).toEqual(['recorder_away first 1', 'recorder_away third 1']);
  },
);

test('no more than a hundred wait for a slow store, and there is room again afterwards', async () => {
  const gate = await observing(true);
  const many = Array.from({ length: 101 }, (_, n) => once('role_unverified', `${n}`, `${n}`));
  await gate.observeAtOnce(...many);
  expect(await gate.alerts()).toEqual(many.slice(0, 100).map((_, n) => `role_unverified ${n} 1`));
  await gate.observe(once('role_unverified', 'last', 'last'));
  expect((await gate.alerts()).at(-1)).toBe('role_unverified last 1');
});

const address = '192.0.2.7';
const opened = (object?: string): AuditEntry => ({
  event: 'share_opened',
  ...(object !== undefined && { object, address }),
  detail: { made_by: 'vera', shows: 'Hall' },
});
const failed = (event: AuditEntry['event'], from = address): readonly AuditEntry[] =>
  Array.from({ length: 10 }, () => ({ event, address: from }));

test.each<[what: string, entries: readonly AuditEntry[], alerts: readonly string[]]>([
  ['a share that is opened twice', [opened('s1'), opened('s1')], ['share_opened vera Hall 192.0.2.7 1']],
  [
    'two shares',
    [opened('s1'), opened('s2')],
    Array.from({ length: 2 }, () => 'share_opened vera Hall 192.0.2.7 1'),
  ],
  ['a share that is not named', [opened()], []],
  ['refused passwords', failed('login_failed'), ['sign_in_failures 192.0.2.7 10']],
  ['sign-ins that a limit refused', failed('login_limited'), ['sign_in_failures 192.0.2.7 10']],
  [
    'refusals of several addresses',
    [...failed('login_failed'), ...failed('login_limited', '192.0.2.8')],
    ['sign_in_failures 20'],
  ],
  ['sign-ins', failed('login'), []],
])('in the audit, %s', async (_, entries, alerts) => {
  const gate = await observing();
  for (const entry of entries) gate.note(entry);
  gate.pass(minute);
  expect(await gate.alerts()).toEqual(alerts);
});
