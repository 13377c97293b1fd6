import { describe, expect, test, vi } from 'vitest';
import { lacksSecondFactor, sessionToken } from '../../../../src/access/authentication/session-token.ts';
import { sessionCookie } from '../../../../src/accounts/sessions/session-cookie.ts';
import type { Session, SessionUser } from '../../../../src/accounts/sessions/session-token.ts';
import { rolesOf } from '../../../support/roles.ts';

const required = new Set(['admin']);

describe('a second factor is missing', () => {
  test.each<
    [what: string, user: Pick<SessionUser, 'hasSecondFactor' | 'issuer'>, role: string, lacks: boolean]
  >([
    ['to an admin without one', { hasSecondFactor: false, issuer: undefined }, 'admin', true],
    ['to no admin with one', { hasSecondFactor: true, issuer: undefined }, 'admin', false],
    ['to no other role', { hasSecondFactor: false, issuer: undefined }, 'viewer', false],
    ['to no admin of a provider', { hasSecondFactor: false, issuer: 'https://id.example' }, 'admin', false],
  ])('%s', (_, user, role, lacks) => {
    expect(lacksSecondFactor(user, role, required)).toBe(lacks);
  });
});

describe('a session token', () => {
  const user: SessionUser = {
    username: 'olaf',
    role: 'admin',
    generation: 'g',
    notBefore: 0,
    issuer: undefined,
    hasSecondFactor: false,
  };
  const sessionOf = (of: Partial<SessionUser> = {}) => ({ user: { ...user, ...of } }) as Session;
  const start = (session: Session | 'token_revoked', remembered?: Session) => {
    const found = session === 'token_revoked' ? { problem: session } : { session };
    const sessions = {
      recall: vi.fn(() => remembered),
      check: vi.fn(async () => found),
      revalidate: vi.fn(async () => found),
    };
    const roles = rolesOf([['family', ['front']]]);
    return { sessions, strategy: sessionToken(sessions, sessionCookie('session_token'), roles, required) };
  };
  const asked = (headers: readonly string[]) => ({ headers }) as never;
  const cookie = asked(['Cookie', 'session_token=c00kie']);
  const bearer = asked(['Authorization', 'Bearer be4rer', 'Cookie', 'session_token=c00kie']);

  test('is restricted without the role’s second factor, except for federated users', async () => {
    const restricted = { identity: { user: 'olaf', role: 'admin', restricted: 'second_factor' } };
    expect(await start(sessionOf()).strategy(cookie)).toMatchObject(restricted);
    for (const of of [{ issuer: 'https://id.example' }, { hasSecondFactor: true }, { role: 'family' }])
      expect(await start(sessionOf(of)).strategy(cookie)).not.toHaveProperty('identity.restricted');
  });

  test('knows who invited the user, for their own browser only', async () => {
    const invited = sessionOf({ invitedBy: 'anna' });
    expect(await start(invited).strategy(cookie)).toMatchObject({ identity: { invitedBy: 'anna' } });
    expect(await start(invited).strategy(bearer)).not.toHaveProperty('identity.invitedBy');
    expect(await start(sessionOf()).strategy(cookie)).not.toHaveProperty('identity.invitedBy');
  });

  test('has the current role: an undefined one counts as viewer', async () => {
    expect(await start(sessionOf({ role: 'family' })).strategy(cookie)).toMatchObject({
      identity: { role: 'family' },
    });
    expect(await start(sessionOf({ role: 'former' })).strategy(cookie)).toMatchObject({
      identity: { role: 'viewer' },
    });
  });

  test('as bearer takes precedence over the cookie, and an invalid one is final', async () => {
    const { sessions, strategy } = start(sessionOf());
    expect(await strategy(bearer)).toMatchObject({ identity: { source: 'bearer' } });
    expect(sessions.check).toHaveBeenCalledWith('be4rer', undefined);
    expect(await strategy(cookie)).toMatchObject({ identity: { source: 'session' } });
    expect(sessions.check).toHaveBeenLastCalledWith('c00kie', undefined);
    expect(await start('token_revoked').strategy(bearer)).toEqual({ refused: 'token_revoked' });
    const twice = asked(['Authorization', 'Bearer a', 'Authorization', 'Bearer b']);
    expect(await strategy(twice)).toEqual({ refused: 'token_ambiguous' });
    expect(await strategy(asked([]))).toEqual({ refused: 'no_session' });
  });

  test('is cached, but read again in a transaction', async () => {
    const { sessions, strategy } = start('token_revoked', sessionOf());
    expect(strategy(cookie)).toMatchObject({ identity: { user: 'olaf' } });
    expect(sessions.check).not.toHaveBeenCalled();
    const on = {} as never;
    expect(await strategy(cookie, on)).toEqual({ refused: 'token_revoked' });
    expect(sessions.check).toHaveBeenCalledWith('c00kie', on);
  });

  test('of an open stream is revalidated', async () => {
    const { sessions, strategy } = start(sessionOf());
    const revalidated = sessionOf();
    await strategy(cookie, undefined, revalidated);
    expect(sessions.revalidate).toHaveBeenCalledWith(revalidated, 'c00kie');
    expect(sessions.check).not.toHaveBeenCalled();
  });
});
