import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import type { AuditEntry } from '../../../../src/audit/audit-entry.ts';
import { createSealing } from '../../../../src/accounts/sealing.ts';
import { createRevocations } from '../../../../src/accounts/sessions/revocations.ts';
import type { Session } from '../../../../src/accounts/sessions/session-token.ts';
import { createProviderSessions, pruneSignOn } from '../../../../src/features/oidc/provider-sessions.ts';
import { createProvider } from '../../../../src/features/oidc/provider.ts';
import { createSessionRefresh, type Decided } from '../../../../src/features/oidc/session-refresh.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { patience } from '../../../support/patience.ts';
import { errorAnswer, htmlAnswer } from '../../../support/provider-answers.ts';
import { startProvider, type RunningProvider } from '../../../support/start-provider.ts';
import { temporaryDirectory, temporaryStore } from '../../store/temporary-store.ts';

let provider: RunningProvider;
beforeAll(async () => {
  provider = await startProvider({ publicUrl: 'https://nvr.example', people: {} });
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.people.set('1', { preferred_username: 'anna', groups: ['viewer'] });
});

const hour = 3_600_000;
const lengths = { sessionLength: 24 * hour, refreshTime: 12 * hour };
const attempt = { state: 's'.repeat(22), nonce: 'n'.repeat(22), verifier: 'v'.repeat(43) };
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A gate on a store, with its own clock; each user's role is the name of the first group. */
function gateOn(store: Store, sealed = 'a secret of the gates', clientSecret?: string) {
  const time = { now: Date.now() };
  const clock = { now: () => time.now };
  const { issuer, client_id: clientId, client_secret: secret } = provider.settings;
  const client = createProvider(
    {
      issuer,
      clientId,
      clientSecret: clientSecret ?? secret,
      scopes: 'openid profile groups',
      userClaims: ['preferred_username'],
      groupsClaim: 'groups',
      allowedEmails: undefined,
    },
    { publicUrl: 'https://nvr.example', basePath: '', clock, logger: quiet, timeoutMs: patience },
  );
  const sealing = createSealing(sealed, clock);
  const providerSessions = createProviderSessions({
    store,
    sealing,
    clock,
    sessionLength: lengths.sessionLength,
  });
  const records: AuditEntry[] = [];
  const decide = ({ groups }: Readonly<Record<string, unknown>>): Decided => {
    const [role] = groups as string[];
    return role === undefined ? { refused: 'oidc_no_role' } : { role, roleReason: `group ${role}` };
  };
  const underWay = new Set<Promise<unknown>>();
  const mayRefresh = createSessionRefresh({
    underWay,
    provider: client,
    issuer,
    decide,
    explain: () => ({ claims: ['sub (text)'], looked_for: [], unreadable: undefined }),
    providerSessions,
    sessions: { dueAt: ({ expiresAt }) => expiresAt - lengths.refreshTime },
    lengths,
    audit: { record: async (entry) => void records.push(entry) },
    logger: quiet,
    clock,
  });
  return {
    time,
    client,
    clock,
    records,
    providerSessions,
    users: createUsers(store, clock),
    mayRefresh,
    prune: () => pruneSignOn(store, clock),
    /** What a request finds once the background is done. */
    later: async (session: Session) => {
      await Promise.all(underWay);
      time.now += 1_000;
      return mayRefresh(session);
    },
    isEnded: (session: Session) => createRevocations(store, clock).isRevoked(session.claims.sessionId),
  };
}

type Gate = ReturnType<typeof gateOn>;

/** Anna signs in, and her session becomes due a moment later: the provider goes by the clock of the machine. */
async function dueSession(store: Store, gate: Gate, sessionId = 's1'): Promise<Session> {
  const { client, clock, users, providerSessions, time } = gate;
  const callback = await provider.signIn(await client.authorizationUrl(attempt), '1');
  const grant = await client.exchange(callback.search, attempt);
  if ((await users.find('anna')) === undefined)
    await users.add({ username: 'anna', role: 'viewer', passwordHash: '' }, unconditional);
  const expiresAt = clock.now() + lengths.refreshTime + 1_000;
  const person = { sessionId, issuer: provider.issuer, subject: '1' };
  const begin = await providerSessions.begin(person, grant, expiresAt);
  await store.change(unconditional, async (on) => {
    await on
      .updateTable('users')
      .set({ issuer: provider.issuer, subject: '1', role_reason: 'group viewer' })
      .where('username', '=', 'anna')
      .execute();
    await begin(on, 'anna');
  });
  const user = {
    username: 'anna',
    role: 'viewer',
    generation: 'g',
    notBefore: 0,
    issuer: provider.issuer,
    hasSecondFactor: false,
  };
  const claims = { username: 'anna', sessionId, issuedAt: clock.now(), expiresAt, generation: 'g' };
  time.now += 2_000;
  return { user, claims, expiresAt, lastSeenAt: 0 };
}

async function due() {
  const store = await temporaryStore();
  const gate = gateOn(store);
  return { store, gate, session: await dueSession(store, gate) };
}

describe('a session that is due', () => {
  test('continues once the provider has confirmed it in the background', async () => {
    const { gate, session } = await due();
    const { arrived, release } = provider.hold('token');
    expect(await gate.mayRefresh(session)).toBe(false);
    await arrived;
    gate.time.now += 5_000;
    expect(await gate.mayRefresh(session)).toBe(false);
    release();
    expect(await gate.later(session)).toBe(true);
    // The token that comes of it is due in its turn.
    const next = { ...session, expiresAt: gate.time.now + lengths.refreshTime + 1_000 };
    gate.time.now += 2_000;
    expect(await gate.mayRefresh(next)).toBe(false);
    expect(await gate.later(next)).toBe(true);
  });

  test('is not asked about earlier', async () => {
    const { gate, session } = await due();
    const asked = provider.asked('token');
    const fresh = { ...session, expiresAt: session.expiresAt + hour };
    expect(await gate.mayRefresh(fresh)).toBe(false);
    expect(await gate.later(fresh)).toBe(false);
    expect(provider.asked('token')).toBe(asked);
  });

  test('is asked about once, for many requests and two gates', async () => {
    const directory = temporaryDirectory();
    const [one, other] = [await temporaryStore(directory), await temporaryStore(directory)];
    const [gate, second] = [gateOn(one), gateOn(other)];
    const session = await dueSession(one, gate);
    second.time.now = gate.time.now;
    const asked = provider.asked('token');
    const { arrived, release } = provider.hold('token');
    expect(await Promise.all([gate.mayRefresh(session), gate.mayRefresh(session)])).toEqual([false, false]);
    await arrived;
    expect(await second.mayRefresh(session)).toBe(false);
    expect(await second.later(session)).toBe(false);
    release();
    expect(await gate.later(session)).toBe(true);
    expect(await second.later(session)).toBe(true);
    expect(provider.asked('token')).toBe(asked + 1);
  });

  test('is claimed by one of several processes', async () => {
    const { gate } = await due();
    const known = await gate.providerSessions.find('s1');
    if (known === undefined) throw new Error('no session');
    const claims = [await gate.providerSessions.claim(known), await gate.providerSessions.claim(known)];
    expect(claims).toMatchObject([{ sessionId: 's1' }, undefined]);
    // An abandoned claim expires after a minute.
    gate.time.now += 61_000;
    expect(await gate.providerSessions.claim(known)).toMatchObject({ sessionId: 's1' });
  });

  test('gets the current role of the provider', async () => {
    const { gate, session } = await due();
    const before = await gate.users.find('anna');
    provider.people.set('1', { preferred_username: 'anna', groups: ['admin'] });
    await gate.mayRefresh(session);
    expect(await gate.later(session)).toBe(true);
    const anna = await gate.users.find('anna');
    expect(anna).toMatchObject({ role: 'admin', generation: before?.generation });
    expect(gate.records).toMatchObject([
      { event: 'user_role_changed', object: 'anna', detail: { role: 'admin', former: 'viewer' } },
    ]);
  });

  test('keeps its tokens sealed and bound to the session', async () => {
    const { store, gate, session } = await due();
    const rows = await store.selectFrom('provider_sessions').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('eyJhbGciOiJSUzI1NiI');
    expect(await gate.providerSessions.idTokenOf('s1')).toMatch(/^eyJ/);
    await store.change(unconditional, (on) =>
      on.updateTable('provider_sessions').set({ session_id: 's2' }).execute(),
    );
    expect(await gate.providerSessions.idTokenOf('s2')).toBeUndefined();
    const moved = { ...session, claims: { ...session.claims, sessionId: 's2' } };
    const asked = provider.asked('token');
    await gate.mayRefresh(moved);
    expect(await gate.later(moved)).toBe(false);
    expect(provider.asked('token')).toBe(asked);
    expect(await gate.providerSessions.find('s2')).toMatchObject({ fault: 'unreadable' });
  });

  test('without a refresh token is never refreshed', async () => {
    provider.wrong.noRefreshToken = true;
    const { gate, session } = await due();
    provider.wrong.noRefreshToken = undefined;
    const asked = provider.asked('token');
    await gate.mayRefresh(session);
    expect(await gate.later(session)).toBe(false);
    expect(provider.asked('token')).toBe(asked);
  });
});

describe('a provider that refuses', () => {
  test('a removed user ends the session', async () => {
    const { gate, session } = await due();
    provider.people.delete('1');
    await gate.mayRefresh(session);
    expect(await gate.later(session)).toBe(false);
    expect(await gate.isEnded(session)).toBe(true);
    expect(gate.records).toMatchObject([
      { event: 'session_ended_by_provider', object: 'anna', reason: 'invalid_grant' },
    ]);
  });

  test('a role ends all sessions, and blocks the user', async () => {
    const { gate, session } = await due();
    const before = await gate.users.find('anna');
    provider.people.set('1', { preferred_username: 'anna', groups: [] });
    await gate.mayRefresh(session);
    expect(await gate.later(session)).toBe(false);
    const anna = await gate.users.find('anna');
    expect(anna?.blocked).toBe('provider');
    expect(anna?.generation).not.toBe(before?.generation);
    expect(gate.records).toMatchObject([{ reason: 'oidc_no_role' }]);
  });

  test('keeps the block of an admin', async () => {
    const { store, gate, session } = await due();
    await store.change(unconditional, (on) => on.updateTable('users').set({ blocked: 'admin' }).execute());
    provider.people.set('1', { preferred_username: 'anna', groups: [] });
    await gate.mayRefresh(session);
    await gate.later(session);
    expect((await gate.users.find('anna'))?.blocked).toBe('admin');
  });
});

describe('a provider that fails', () => {
  test.each([
    ['away', errorAnswer('server_error', 500)],
    ['nonsense', htmlAnswer()],
  ] as const)('because it is %s keeps the session, and reports it', async (fault, answer) => {
    const { gate, session } = await due();
    provider.answer('token', answer);
    await gate.mayRefresh(session);
    expect(await gate.later(session)).toBe(false);
    expect(await gate.isEnded(session)).toBe(false);
    expect(await gate.providerSessions.find('s1')).toMatchObject({ fault });
    expect(await gate.providerSessions.countFaults(provider.issuer)).toBe(1);
    // It is asked again, once a minute at most.
    const asked = provider.asked('token');
    gate.time.now += 40_000;
    expect(await gate.later(session)).toBe(false);
    expect(provider.asked('token')).toBe(asked);
    provider.answer('token', undefined);
    gate.time.now += 30_000;
    await gate.later(session);
    expect(await gate.later(session)).toBe(true);
    expect(await gate.providerSessions.find('s1')).toMatchObject({ fault: undefined });
    expect(await gate.providerSessions.countFaults(provider.issuer)).toBe(0);
  });

  test('keeps a session alive with a refresh token from an invalid answer', async () => {
    const { gate, session } = await due();
    provider.wrong.idToken = { byForeignKey: true };
    await gate.mayRefresh(session);
    expect(await gate.later(session)).toBe(false);
    provider.wrong.idToken = undefined;
    gate.time.now += 61_000;
    await gate.later(session);
    expect(await gate.later(session)).toBe(true);
  });

  test('is asked about one session a minute while it is away', async () => {
    const { store, gate, session } = await due();
    const other = await dueSession(store, gate, 's2');
    await provider.leave();
    await gate.mayRefresh(session);
    await gate.later(session);
    await gate.mayRefresh(other);
    await gate.later(other);
    await provider.comeBack();
    expect(await gate.providerSessions.find('s1')).toMatchObject({ fault: 'away' });
    expect(await gate.providerSessions.find('s2')).toMatchObject({ fault: undefined, isClaimed: false });
  });
});

test('changes nothing by an answer after the end of a session', async () => {
  const { store, gate, session } = await due();
  provider.people.set('1', { preferred_username: 'anna', groups: ['admin'] });
  const { arrived, release } = provider.hold('token');
  await gate.mayRefresh(session);
  await arrived;
  await createRevocations(store, gate.clock).revoke('s1', gate.time.now + hour, unconditional);
  release();
  expect(await gate.later(session)).toBe(false);
  expect(await gate.users.find('anna')).toMatchObject({ role: 'viewer' });
  expect(await gate.providerSessions.find('s1')).toBeUndefined();
});

test('removes expired rows', async () => {
  const { gate } = await due();
  const token = { jti: 'j', sub: 'nobody', sid: undefined, expiresAt: gate.time.now + hour };
  await gate.providerSessions.endBy(token, provider.issuer);
  await gate.prune();
  expect(await gate.providerSessions.find('s1')).toBeDefined();
  expect(await gate.providerSessions.wasUsed(token)).toBe(true);
  gate.time.now += 24 * hour;
  await gate.prune();
  expect(await gate.providerSessions.find('s1')).toBeUndefined();
  expect(await gate.providerSessions.wasUsed(token)).toBe(false);
});
