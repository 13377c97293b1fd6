import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { countGivenOut, givenOutKinds, type GivenOut } from '../../../../src/accounts/users/recovery.ts';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import { type Recovered } from '../../../../src/accounts/users/user-rows.ts';
import { createApiTokens, type ApiTokens } from '../../../../src/features/api-tokens/api-tokens.ts';
import { createDisplays } from '../../../../src/features/displays/displays.ts';
import { createEmails } from '../../../../src/accounts/users/emails.ts';
import { createInvitations } from '../../../../src/features/invitations/invitations.ts';
import { createFactors, type Factors } from '../../../../src/accounts/second-factor/factors.ts';
import type { Creator } from '../../../../src/access/creator.ts';
import { createShares, type Shares } from '../../../../src/features/shares/shares.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { addPerson } from '../../../support/add-person.ts';
import { isOnPostgres, temporaryVersionedStore } from '../../store/temporary-store.ts';

let now: number;
let store: Store;
let users: Users;
let factors: Factors;
let apiTokens: ApiTokens;
let shares: Shares;
const clock = { now: () => now };
beforeEach(async () => {
  now = 1_000_000;
  ({ store } = await temporaryVersionedStore());
  users = createUsers(store, clock);
  factors = createFactors(store, clock);
  apiTokens = createApiTokens(store, { clock, storeVersion: () => Number.NaN });
  shares = createShares(store, clock);
  for (const username of ['olaf', 'vera'])
    await users.add({ username, role: 'viewer', passwordHash: 'h' }, unconditional);
});

const token = async (owner: string, name: string, expiresAt?: number) => {
  const wanted = { name, owner, role: 'viewer', cameras: undefined, expiresAt };
  return (await apiTokens.add(wanted, unconditional)).apiToken.id;
};
const share = async (label: string, creator: Partial<Creator>, lasts = 60_000) => {
  const wanted = { kind: 'event', object: 'e', camera: 'front', from: 1_000, until: 2_000 } as const;
  const by = { user: 'olaf', role: 'viewer', source: 'session', tokenId: undefined, ...creator } as const;
  const more = { passwordHash: undefined, label, creator: by, expiresAt: now + lasts };
  await shares.add({ ...wanted, ...more }, 100, unconditional);
};

/** Two tokens and three shares of olaf's that are valid, and what is not olaf's or over. */
async function giveOut() {
  await token('olaf', 'over', now + 1_000);
  await share('over', {}, 1_000);
  now += 2_000;
  const script = await token('olaf', 'script');
  await token('olaf', 'doorbell', now + 60_000);
  await share('by hand', {});
  await share('by a bearer', { source: 'bearer' });
  await share('by the script', { source: 'api-token', tokenId: script });
  await share('of a proxy', { source: 'proxy' });
  await share("vera's", { user: 'vera' });
  await token('vera', 'hers');
}

const none = {
  alert_addresses_ended: 0,
  api_tokens_ended: 0,
  displays_ended: 0,
  invitations_ended: 0,
  shares_ended: 0,
};

const left = async () => ({
  tokens: (await apiTokens.list()).map(({ name }) => name).toSorted(),
  shares: (await shares.list('all')).map(({ label }) => label ?? '').toSorted(),
});

type Recovery = (keep: readonly GivenOut[]) => Promise<Recovered>;
const recoveries: ReadonlyArray<readonly [what: string, recover: Recovery]> = [
  ['a new password', (keep) => users.setPassword('olaf', 'i', unconditional, { keep })],
  ['a reset of the factors', (keep) => factors.resetFactors('olaf', unconditional, { keep })],
  ['the end of all sessions', (keep) => users.endSessions('olaf', unconditional, { keep })],
];

test.each(recoveries)('%s ends what the user has given out, and nothing of others', async (_, recover) => {
  await giveOut();
  const before = await users.find('olaf');
  const { user, ended } = await recover([]);
  expect(ended).toEqual({ ...none, api_tokens_ended: 2, shares_ended: 3 });
  expect(await left()).toEqual({ tokens: ['hers'], shares: ['of a proxy', "vera's"] });
  expect(user.generation).not.toBe(before?.generation);
  expect(user.generation).toBe((await users.find('olaf'))?.generation);
});

test.each(recoveries)('%s leaves what is kept', async (_, recover) => {
  await giveOut();
  expect((await recover(['api_tokens'])).ended).toEqual({ ...none, shares_ended: 3 });
  expect(await left()).toEqual({
    tokens: ['doorbell', 'hers', 'over', 'script'],
    shares: ['of a proxy', "vera's"],
  });
});

test.each(recoveries)('%s that keeps shares ends those of an API token that ends', async (_, recover) => {
  await giveOut();
  expect((await recover(['shares'])).ended).toEqual({ ...none, api_tokens_ended: 2, shares_ended: 1 });
  expect(await left()).toEqual({
    tokens: ['hers'],
    shares: ['by a bearer', 'by hand', 'of a proxy', "vera's"],
  });
  expect((await recover(['shares', 'api_tokens'])).ended).toEqual(none);
});

test.each(recoveries)('%s ends displays and open invitations too', async (_, recover) => {
  const tokens = createApiTokens(store, { clock, storeVersion: () => Number.NaN, kind: 'display' });
  const displays = createDisplays(store, tokens, clock);
  const invitations = createInvitations(store, clock);
  const wanted = { name: 'Hall', owner: 'olaf', role: 'viewer', cameras: undefined, expiresAt: undefined };
  await displays.approve('device', wanted, unconditional);
  await token('olaf', 'script');
  const invitation = { name: undefined, role: 'viewer', expiresAt: now + 60_000 };
  for (const madeBy of ['olaf', 'vera']) await invitations.add({ ...invitation, madeBy }, unconditional);
  expect((await recover(['displays', 'api_tokens'])).ended).toEqual({ ...none, invitations_ended: 1 });
  expect((await recover([])).ended).toEqual({ ...none, api_tokens_ended: 1, displays_ended: 1 });
  expect((await invitations.list()).map(({ madeBy }) => madeBy)).toEqual(['vera']);
});

test.each(recoveries)('%s removes the address for alerts, which hears of it once', async (_, recover) => {
  const emails = createEmails(store);
  await emails.set('olaf', 'thief@example.org', unconditional);
  await emails.set('vera', 'vera@example.org', unconditional);
  await store.change(unconditional, (on) => on.deleteFrom('outbox').execute());
  // An account that keeps everything is not taken back.
  expect((await recover(givenOutKinds)).ended).toEqual(none);
  expect((await recover([])).ended).toEqual({ ...none, alert_addresses_ended: 1 });
  expect([await emails.of('olaf'), (await emails.of('vera'))?.email]).toEqual([
    { email: undefined, isOfProvider: false },
    'vera@example.org',
  ]);
  const queued = await store.selectFrom('outbox').select('alert').execute();
  expect(queued.map(({ alert }) => JSON.parse(alert) as object)).toContainEqual(
    expect.objectContaining({ event: 'email_changed', user: 'olaf', object: 'thief@example.org' }),
  );
  expect((await recover([])).ended).toEqual(none);
});

/** Every choice of what to keep, but all of it. */
const keptInPart = Array.from({ length: 2 ** givenOutKinds.length - 1 }, (_, choice) =>
  givenOutKinds.filter((_kind, place) => (choice & (1 << place)) !== 0),
);
test.each(keptInPart.map((keep) => [keep.join(', ') || 'nothing', keep] as const))(
  'a recovery that keeps %s removes the address for alerts',
  async (_, keep) => {
    await createEmails(store).set('olaf', 'thief@example.org', unconditional);
    expect((await users.endSessions('olaf', unconditional, { keep })).ended).toEqual({
      ...none,
      alert_addresses_ended: 1,
    });
  },
);

test('the address that a provider gives stays', async () => {
  await addPerson(store, 'ida', { email: 'ida@example.org' });
  await users.endSessions('ida', unconditional);
  expect((await createEmails(store).of('ida'))?.email).toBe('ida@example.org');
});

test('a block ends nothing of it', async () => {
  await giveOut();
  const before = await left();
  await users.block('olaf', unconditional);
  await users.unblock('olaf', unconditional);
  expect(await left()).toEqual(before);
  expect(await countGivenOut(store, 'olaf', clock)).toEqual({ api_tokens: 2, displays: 0, shares: 3 });
});

// The steps of both engines are the same; SQLite shows what they have made.
test.skipIf(isOnPostgres())(
  'every table that goes with an account is on the list, or is no gift',
  async () => {
    const factors = ['one_time_codes', 'passkeys', 'recovery_codes'];
    const { rows } = await sql<{ readonly name: string }>`
    SELECT name FROM sqlite_master WHERE sql LIKE '%references "users"%'`.execute(store);
    // Displays are API tokens that screens keep.
    const gifts = givenOutKinds.filter((kind) => kind !== 'displays');
    // A subscription ends with the sessions, and a request gives nothing.
    const expected = [...gifts, ...factors, 'provider_sessions', 'push_subscriptions', 'access_requests'];
    expect(rows.map(({ name }) => name).toSorted()).toEqual(expected.toSorted());
  },
);
