import { currentRole, type Roles } from '../../policy/role-access.ts';
import { plainIdentity, type Identity } from '../../policy/identity.ts';
import type { SessionCookie } from '../../accounts/sessions/session-cookie.ts';
import type { Session, SessionUser } from '../../accounts/sessions/session-token.ts';
import type { Sessions } from '../../accounts/sessions/sessions.ts';
import type { Authenticated, Strategy } from './authenticate.ts';
import { bearerOf, cookieOf } from './credentials.ts';

/**
 * A session token, as bearer or in the cookie. A bearer takes precedence over the cookie, and an invalid one is final. The role is the
 * user's current one, never the token's; a role that is not defined anymore counts as viewer.
 * @param secondFactorFor roles whose local users need a second factor
 */
export function sessionToken(
  sessions: Pick<Sessions, 'check' | 'recall' | 'revalidate'>,
  cookie: Pick<SessionCookie, 'read'>,
  roles: Roles,
  secondFactorFor: ReadonlySet<string>,
): Strategy {
  // Created once per user: records of decisions refer to it, and each copy would outlive collections of the young generation.
  const identities = {
    session: new WeakMap<SessionUser, Identity>(),
    bearer: new WeakMap<SessionUser, Identity>(),
  };
  const identityOf = (user: SessionUser, source: 'bearer' | 'session'): Identity => {
    const known = identities[source].get(user);
    if (known !== undefined) return known;
    const identity = identityAs(user, currentRole(user.role, roles), source);
    identities[source].set(user, identity);
    return identity;
  };
  const identityAs = (user: SessionUser, role: string, source: 'bearer' | 'session'): Identity => {
    const { username, invitedBy } = user;
    return {
      ...plainIdentity(username, role, source),
      // A token that a program sends has no reader.
      ...(invitedBy !== undefined && source === 'session' && { invitedBy }),
      ...(lacksSecondFactor(user, role, secondFactorFor) && { restricted: 'second_factor' as const }),
    };
  };
  const identified = (session: Session, source: 'bearer' | 'session'): Authenticated => ({
    session,
    identity: identityOf(session.user, source),
  });
  return ({ headers }, on, revalidated) => {
    const bearer = bearerOf(headers);
    const presented = bearer ?? cookieOf(headers, cookie);
    if ('refused' in presented) return presented;
    const source = bearer === undefined ? 'session' : 'bearer';
    const remembered = on === undefined ? sessions.recall(presented.token) : undefined;
    if (remembered !== undefined) return identified(remembered, source);
    const checking =
      revalidated === undefined
        ? sessions.check(presented.token, on)
        : sessions.revalidate(revalidated, presented.token);
    return checking.then((checked) =>
      'problem' in checked ? { refused: checked.problem } : identified(checked.session, source),
    );
  };
}

/** Whether a user has to set up a second factor first. A provider has its own rules for federated users. */
export function lacksSecondFactor(
  { hasSecondFactor, issuer }: Pick<SessionUser, 'hasSecondFactor' | 'issuer'>,
  role: string,
  secondFactorFor: ReadonlySet<string>,
): boolean {
  return secondFactorFor.has(role) && !hasSecondFactor && issuer === undefined;
}
