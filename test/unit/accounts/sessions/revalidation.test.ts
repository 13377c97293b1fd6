import { beforeEach, expect, test } from 'vitest';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import { createRevocations, type Revocations } from '../../../../src/accounts/sessions/revocations.ts';
import { type Session, createSessionTokens } from '../../../../src/accounts/sessions/session-token.ts';
import { createSessions, type Sessions } from '../../../../src/accounts/sessions/sessions.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import { createCacheTallies } from '../../../../src/telemetry/tallies.ts';
import { temporaryVersionedStore } from '../../store/temporary-store.ts';

const sessionLength = 600_000;
let now: number;
let users: Users;
let revocations: Revocations;
let sessions: Sessions;
/** When the last token seen of each session expires. */
let seen: Map<string, number>;
let makeSessions: (secret: string) => Sessions;

beforeEach(async () => {
  now = 1_800_000_000_000;
  const clock = { now: () => now };
  const { store, version } = await temporaryVersionedStore();
  users = createUsers(store, clock);
  revocations = createRevocations(store, clock);
  seen = new Map();
  makeSessions = (secret) =>
    createSessions({
      tokens: createSessionTokens(secret.repeat(64), clock),
      revocations,
      sessionLength,
      refreshTime: 300_000,
      clock,
      storeVersion: version,
      tally: createCacheTallies().sessions,
      latestExpiry: async (id) => seen.get(id),
    });
  sessions = makeSessions('s');
  await users.add({ username: 'olaf', role: 'viewer', passwordHash: 'h' }, unconditional);
});

async function opened(): Promise<{ readonly token: string; readonly session: Session }> {
  const user = await users.find('olaf');
  if (user === undefined) throw new Error('no olaf');
  const { token } = await sessions.begin(user);
  const checked = await sessions.check(token);
  if ('problem' in checked) throw new Error(checked.problem);
  return { token, session: checked.session };
}
const refresh = ({ claims }: Session) => seen.set(claims.sessionId, now + sessionLength);
const goesOn = async ({ token, session }: Awaited<ReturnType<typeof opened>>, by = sessions) => {
  const found = await by.revalidate(session, token);
  return 'problem' in found ? found.problem : found.session.expiresAt;
};

test('a session is valid until its only token expires', async () => {
  const stream = await opened();
  now += sessionLength - 1;
  expect(await goesOn(stream)).toBe(stream.session.expiresAt);
  now += 1;
  expect(await goesOn(stream)).toBe('token_expired');
});

test('a refreshed session is valid until the later token expires', async () => {
  const stream = await opened();
  now += 400_000;
  refresh(stream.session);
  now += 200_000;
  const later = stream.session.expiresAt + 400_000;
  expect(await goesOn(stream)).toBe(later);
  now = later;
  expect(await goesOn(stream)).toBe('token_expired');
});

test('an expired token is valid for nothing else', async () => {
  const stream = await opened();
  now += 400_000;
  refresh(stream.session);
  now += 200_000;
  await goesOn(stream);
  expect(sessions.recall(stream.token)).toBeUndefined();
  expect(await sessions.check(stream.token)).toEqual({ problem: 'token_expired' });
});

test.each<readonly [name: string, take: (session: Session) => Promise<unknown>, problem: string]>([
  ['was ended', (session) => sessions.end(session, unconditional), 'token_revoked'],
  [
    'belongs to a user with another role',
    () => users.setRole('olaf', 'admin', unconditional),
    'token_revoked',
  ],
  ['belongs to a deleted user', () => users.remove('olaf', unconditional), 'user_unknown'],
])('one that was refreshed and %s ends', async (_, take, problem) => {
  const stream = await opened();
  now += 400_000;
  refresh(stream.session);
  await take(stream.session);
  now += 200_000;
  expect(await goesOn(stream)).toBe(problem);
});

test('rejects a token signed with another secret, refreshed or not', async () => {
  const stream = await opened();
  refresh(stream.session);
  expect(await goesOn(stream, makeSessions('t'))).toBe('token_invalid');
});
