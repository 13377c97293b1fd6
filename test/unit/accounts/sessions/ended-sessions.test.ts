import { expect, test } from 'vitest';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import { createRevocations } from '../../../../src/accounts/sessions/revocations.ts';
import { createSessionTokens } from '../../../../src/accounts/sessions/session-token.ts';
import { createSessions } from '../../../../src/accounts/sessions/sessions.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import { createCacheTallies } from '../../../../src/telemetry/tallies.ts';
import { temporaryStore } from '../../store/temporary-store.ts';

const day = 86_400_000;
const start = 1_800_000_000_000;

async function open(sessionLength: number) {
  const time = { now: start };
  const clock = { now: () => time.now };
  const store = await temporaryStore();
  const revocations = createRevocations(store, clock);
  await createUsers(store, clock).add({ username: 'olaf', role: 'viewer', passwordHash: 'h' }, unconditional);
  const user = await createUsers(store, clock).find('olaf');
  if (user === undefined) throw new Error('no olaf');
  const sessions = createSessions({
    tokens: createSessionTokens('s'.repeat(64), clock),
    revocations,
    sessionLength,
    refreshTime: sessionLength / 2,
    clock,
    storeVersion: () => Number.NaN,
    tally: createCacheTallies().sessions,
  });
  const sessionOf = async (token: string) => {
    const checked = await sessions.check(token);
    return 'problem' in checked ? checked.problem : checked.session;
  };
  return { time, store, revocations, user, sessions, sessionOf };
}

test('pruning does not restore an ended session that was refreshed for days', async () => {
  const { time, revocations, user, sessions, sessionOf } = await open(3 * day);
  const first = await sessions.begin(user);
  const session = await sessionOf(first.token);
  if (typeof session === 'string') throw new Error(session);
  time.now += 2 * day;
  const refreshed = await sessions.refresh(session);
  // With the former token, which another window still has.
  await sessions.end(session, unconditional);
  // More than a day after the first token expired, and before the last one does.
  time.now = start + 4.5 * day;
  await revocations.prune();
  expect(await sessionOf(refreshed?.token ?? '')).toBe('token_revoked');
});

test('a logout with `session_length: 0` is remembered as long as the token is valid', async () => {
  const { time, store, user, sessions, sessionOf } = await open(0);
  const { token } = await sessions.begin(user);
  const session = await sessionOf(token);
  if (typeof session === 'string') throw new Error(session);
  time.now += 10_000;
  await sessions.end(session, unconditional);
  expect(await sessionOf(token)).toBe('token_revoked');
  const { expires_at } = await store
    .selectFrom('revoked_sessions')
    .select('expires_at')
    .executeTakeFirstOrThrow();
  expect(expires_at).toBe((start + 40_000) / 1000);
});

test("a logout deletes the provider's data of this session only", async () => {
  const { time, store, revocations } = await open(day);
  const row = {
    username: 'olaf',
    issuer: 'https://id.example',
    subject: '1',
    provider_sid: null,
    refresh_token: 'sealed',
    id_token: 'sealed',
    checked_at: 0,
    refreshing_until: 0,
    fault: null,
    expires_at: time.now / 1000 + 3_600,
  };
  await store.change(unconditional, (on) =>
    on
      .insertInto('provider_sessions')
      .values([
        { ...row, session_id: 's1' },
        { ...row, session_id: 's2' },
      ])
      .execute(),
  );
  await revocations.revoke('s1', time.now + day, unconditional);
  expect(await store.selectFrom('provider_sessions').select('session_id').execute()).toEqual([
    { session_id: 's2' },
  ]);
});
