import { expect, onTestFinished, test } from 'vitest';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import type { AlertTarget } from '../../../../src/config/resolve-notifications.ts';
import { createAlerts } from '../../../../src/features/alerts/alerts.ts';
import type { QueuedAlert } from '../../../../src/store/outbox.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import { createLogger } from '../../../../src/telemetry/logger.ts';
import { startMailServer } from '../../../support/receivers.ts';
import { temporaryVersionedStore } from '../../store/temporary-store.ts';

const day = 86_400_000;

/** The alerts of a house where olaf and vera live; its rounds are run by hand. */
async function house(...targets: readonly AlertTarget[]) {
  const { store, version } = await temporaryVersionedStore();
  let now = Date.now();
  const clock = { now: () => now };
  const users = createUsers(store, clock);
  for (const username of ['olaf', 'vera'])
    await users.add({ username, role: 'viewer', passwordHash: 'h' }, unconditional);
  const rounds = new Set<() => void>();
  const after = (milliseconds: number, run: () => void) => {
    if (milliseconds === 1_000) rounds.add(run);
    return () => void rounds.delete(run);
  };
  const alerts = createAlerts({
    store,
    storeVersion: version,
    settings: () => ({
      notifications: { targets, events: new Set(['new_device', 'admin_made']), pushServices: [] },
      house: 'Willow Lane',
      pageAt: () => undefined,
    }),
    clock,
    isClockRight: () => true,
    timers: { elapsed: () => now, after },
    logger: createLogger('silent', { write: () => undefined }),
    clientOf: (address) => address.split('.').slice(0, 3).join('.'),
  });
  return {
    alerts,
    store,
    rounds,
    pass: (milliseconds: number) => void (now += milliseconds),
    /** Another user has the name. */
    replace: async (username: string) => {
      await users.remove(username, unconditional);
      await users.add({ username, role: 'viewer', passwordHash: 'h' }, unconditional);
    },
    next: () => {
      const [run] = rounds;
      if (run !== undefined) rounds.delete(run);
      run?.();
    },
  };
}

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

interface SignedIn {
  readonly user?: string;
  readonly device?: string;
  readonly address?: string;
  /** Before it. */
  readonly days?: number;
  readonly isReplaced?: boolean;
}

/** How often an alert tells of a new device, after some sign-ins. */
async function newDevices(signIns: readonly SignedIn[]): Promise<number> {
  const { alerts, store, pass, replace } = await house();
  for (const { user = 'olaf', device, address = '192.0.2.7', days = 0, isReplaced } of signIns) {
    pass(days * day);
    if (isReplaced) await replace(user);
    alerts.signedIn({ user, device, address, agent: undefined });
    await alerts.close();
  }
  const rows = await store.selectFrom('outbox').select('alert').execute();
  return rows.reduce((sum, { alert }) => sum + (JSON.parse(alert) as QueuedAlert).count, 0);
}

const phone = { device: 'phone' };

test.each<[what: string, signIns: readonly SignedIn[], count: number]>([
  ['a device, twice', [phone, phone], 1],
  ['a device that moves', [phone, { ...phone, address: '198.51.100.7' }], 1],
  ['two devices', [phone, { device: 'tv' }], 2],
  ['a device of two users', [phone, { ...phone, user: 'vera' }], 2],
  ['a device, under a name that another user has now', [phone, { ...phone, isReplaced: true }], 2],
  ['a device, a year later', [phone, { ...phone, days: 399 }], 1],
  ['a device, long after', [phone, { ...phone, days: 401 }], 2],
  ['programs of one network', [{}, { address: '192.0.2.99' }], 1],
  ['programs of two networks', [{}, { address: '198.51.100.7' }], 2],
  ['a program, within a month', [{}, { days: 29 }], 1],
  ['a program, a month later', [{}, { days: 31 }], 2],
  ['a program, and a device of its network', [{}, phone], 2],
])('new devices: %s', async (_, signIns, count) => {
  expect(await newDevices(signIns)).toBe(count);
});

test.each([
  [firefox, 'Firefox on Linux'],
  ['curl/8', 'a program'],
  [undefined, 'a program'],
])('a sign-in by %s is named', async (agent, object) => {
  const { alerts, store } = await house();
  alerts.signedIn({ user: 'olaf', device: 'd', address: '192.0.2.7', agent });
  await alerts.close();
  const [row] = await store.selectFrom('outbox').select('alert').execute();
  expect(JSON.parse(row?.alert ?? '')).toMatchObject({ user: 'olaf', address: '192.0.2.7', object });
});

test.each<[what: string, user: string, changes: object, to: readonly string[]]>([
  ['who has an address', 'olaf', {}, ['olaf@home.example']],
  ['without an address', 'olaf', { email: null }, []],
  ['whom an admin has blocked', 'olaf', { blocked: 'admin' }, []],
  ['whom the provider has blocked', 'olaf', { blocked: 'provider' }, []],
  ['who does not exist', 'mallory', {}, []],
])('an alert about a user %s is mailed to the address of the account', async (_, user, changes, to) => {
  const server = await startMailServer();
  onTestFinished(server.close);
  const common = { type: 'mail', url: server.url, from: 'gate@home.example', mayBePrivate: true } as const;
  const { alerts, store, next } = await house({ ...common, to: [] });
  await store.change(unconditional, async (on, { alert }) => {
    await on
      .updateTable('users')
      .set({ email: 'olaf@home.example', ...changes })
      .where('username', '=', 'olaf')
      .execute();
    alert('admin_made', { user });
  });
  const left = async () => {
    next();
    return (await store.selectFrom('outbox').select('alert_id').execute()).length;
  };
  await expect.poll(left).toBe(0);
  expect(server.mails.flatMap((mail) => mail.to)).toEqual(to);
  await alerts.close();
});

test('targets are named without their secrets, and nothing is sent after the end', async () => {
  const { alerts, rounds } = await house({
    type: 'webhook',
    url: 'https://hook.example:8443/secret?key=k',
    secret: 's',
    mayBePrivate: false,
  });
  expect(alerts.targets()).toEqual([{ type: 'webhook', host: 'hook.example:8443' }]);
  await expect.poll(() => rounds.size).toBe(1);
  await alerts.close();
  expect(rounds.size).toBe(0);
});
