import { describe, expect, test, vi } from 'vitest';
import {
  createAuthorization,
  type AuthorizationDependencies,
  type SessionUpkeep,
} from '../../../src/access/authorize.ts';
import type { RequestContext } from '../../../src/policy/request-context.ts';
import { plainIdentity, type Identity } from '../../../src/policy/identity.ts';
import { sessionCookie } from '../../../src/accounts/sessions/session-cookie.ts';
import type { Session } from '../../../src/accounts/sessions/session-token.ts';
import { apiDependencies, settings } from '../api/api-dependencies.ts';

const request: RequestContext = {
  entryPoint: 'authenticated',
  method: 'GET',
  uri: '/api/front/latest.jpg',
  headers: [],
  host: 'gate.local',
  secure: true,
};
const session = { user: { username: 'olaf', issuer: undefined }, claims: { sessionId: 's' } } as Session;
const ofProvider = { ...session, user: { ...session.user, issuer: 'https://id.example' } } as Session;
const issued = { token: 'n3w', maxAgeSeconds: 60, claims: { sessionId: 's' } as never };

function start(
  {
    rules = settings.rules,
    ...changes
  }: Partial<Pick<AuthorizationDependencies, 'rules'> & SessionUpkeep> = {},
  identity: Identity = plainIdentity('olaf', 'viewer', 'session'),
  of: Session | 'none' = session,
) {
  const { dependencies, log } = apiDependencies();
  const sessions = { isDue: vi.fn(() => false), refresh: vi.fn(async () => issued) };
  const lastSeen = { note: vi.fn(), noteIssued: vi.fn() };
  const parts = {
    noteToken: [vi.fn()] as const,
    recordDecision: vi.fn(() => 'd1'),
    askRecorderAgain: vi.fn(),
    tally: { begin: vi.fn(() => 7), count: vi.fn() },
  };
  const authorization = createAuthorization({
    logger: dependencies.logger,
    roundRobin: dependencies.roundRobin,
    rules,
    upkeep: { sessions, lastSeen, cookie: sessionCookie('session_token'), ...changes },
    watching: { stills: { note: () => undefined }, viewing: dependencies.viewing },
    addressOf: () => '192.0.2.7',
    authenticate: () => (of === 'none' ? { identity } : { identity, session: of }),
    ...(parts as unknown as Pick<AuthorizationDependencies, keyof typeof parts>),
  });
  return { ...authorization, ...parts, sessions, lastSeen, log };
}
const due = { sessions: { isDue: () => true, refresh: async () => issued } };
const cookieOf = async (...parts: Parameters<typeof start>) =>
  (await start(...parts).authorize(request)).setCookie?.split(';')[0];

describe('a session is refreshed', () => {
  test('by an allowed request with a cookie, if it is due', async () => {
    expect(await cookieOf(due)).toBe('session_token=n3w');
    expect(await cookieOf()).toBeUndefined();
  });

  test('by every visit to /auth', async () => {
    const { authorize, sessions } = start();
    const asked = { ...request, uri: '/auth' };
    expect((await authorize(asked)).setCookie).toMatch(/^session_token=n3w; .*Max-Age=60/i);
    expect(sessions.refresh).toHaveBeenCalledWith(session);
  });

  test('not by a refusal, and not for a bearer', async () => {
    const refused = await start(due).authorize({ ...request, method: 'PUT' });
    expect([refused.decision.outcome, refused.setCookie]).toEqual(['forbidden', undefined]);
    expect(await cookieOf(due, plainIdentity('olaf', 'viewer', 'bearer'))).toBeUndefined();
  });

  test('for a federated user if the provider agrees', async () => {
    const who = plainIdentity('olaf', 'viewer', 'session');
    for (const [mayRefresh, cookie] of [
      [async () => true, 'session_token=n3w'],
      [async () => false, undefined],
      [undefined, undefined],
    ] as const)
      expect(await cookieOf({ ...due, mayRefresh }, who, ofProvider)).toBe(cookie);
    // Providers are not asked about local accounts.
    expect(await cookieOf({ ...due, mayRefresh: async () => false })).toBe('session_token=n3w');
  });

  test('or continues with its token', async () => {
    const refresh = async () => Promise.reject(new Error('no disk'));
    const { authorize, log } = start({ sessions: { isDue: () => true, refresh } });
    expect(await authorize(request)).toMatchObject({ decision: { outcome: 'allow' }, setCookie: undefined });
    expect(log).toMatchObject([{ level: 'error', msg: 'a session was not refreshed' }]);
  });
});

describe('a request is recorded', () => {
  test('with its session, by the issued token if there is one', async () => {
    const { authorize, lastSeen } = start();
    await authorize(request);
    expect(lastSeen.note).toHaveBeenCalledWith(session, expect.objectContaining(request));
    expect(lastSeen.noteIssued).not.toHaveBeenCalled();
    await authorize({ ...request, uri: '/auth' });
    expect(lastSeen.noteIssued).toHaveBeenCalledWith(
      issued.claims,
      expect.objectContaining({ headers: request.headers, uri: '/auth' }),
    );
    expect(lastSeen.note).toHaveBeenCalledTimes(1);
  });

  test('without its session if that fails, which changes nothing', async () => {
    const note = () => {
      throw new Error('no disk');
    };
    const { authorize, log } = start({ lastSeen: { note, noteIssued: note } });
    expect(await authorize(request)).toMatchObject({ decision: { outcome: 'allow' } });
    expect(log).toMatchObject([{ level: 'error', msg: 'when a session was last seen was not noted' }]);
  });

  test('with its API token and the address', async () => {
    const token = { id: 't1', cameras: undefined };
    const identity: Identity = { ...plainIdentity('olaf', 'viewer', 'api-token'), token };
    const { authorize, noteToken, lastSeen } = start({}, identity, 'none');
    await authorize(request);
    const [noted, addressOf] = noteToken[0].mock.calls[0] as unknown as [{ id: string }, () => string];
    expect([noted.id, addressOf()]).toEqual(['t1', '192.0.2.7']);
    expect(lastSeen.note).not.toHaveBeenCalled();
    const other = start();
    await other.authorize(request);
    expect(other.noteToken[0]).not.toHaveBeenCalled();
  });

  test('with its decision, once, in the log, the count and the answer', async () => {
    const { authorize, recordDecision, tally } = start();
    const { id, decision } = await authorize({ ...request, front: 'auth-request' });
    expect(id).toBe('d1');
    expect(recordDecision).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ uri: request.uri }),
      decision,
      undefined,
    );
    expect(tally.count).toHaveBeenCalledExactlyOnceWith('auth-request', 'allow', 'allowed', 7);
  });

  test('and asks the recorder for its roles again if the decision may have changed', async () => {
    const family = plainIdentity('olaf', 'family', 'session');
    const uri = '/api/events';
    const unverified = { ...settings.rules, listsAreFiltered: () => false };
    const asked = start({ rules: unverified }, family);
    const { decision } = await asked.authorize({ ...request, uri, front: 'auth-request' });
    expect(decision.reason).toBe('recorder_role_unverified');
    expect(asked.askRecorderAgain).toHaveBeenCalledTimes(1);
    const plain = start();
    await plain.authorize(request);
    expect(plain.askRecorderAgain).not.toHaveBeenCalled();
  });
});
