import { currentRole, type CustomRoles } from '../policy/grant.ts';
import { plainIdentity } from '../policy/identity.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import type { Authenticated, Strategy } from './authenticate.ts';
import { bearerOf, cookieOf } from './credentials.ts';

/**
 * A session token, as bearer or in the cookie. A bearer beats the cookie, and an invalid one is final. The role is the user's
 * at this moment, never the token's; a role that is no longer defined counts as viewer.
 */
export function sessionToken(
  sessions: Pick<Sessions, 'check' | 'recall'>,
  cookie: Pick<SessionCookie, 'read'>,
  customRoles: CustomRoles,
): Strategy {
  const identified = (session: Session, source: 'bearer' | 'session'): Authenticated => {
    const { username, role } = session.user;
    return { session, identity: plainIdentity(username, currentRole(role, customRoles), source) };
  };
  return ({ headers }, on) => {
    const bearer = bearerOf(headers);
    const presented = bearer ?? cookieOf(headers, cookie);
    if ('refused' in presented) return presented;
    const source = bearer === undefined ? 'session' : 'bearer';
    const remembered = on === undefined ? sessions.recall(presented.token) : undefined;
    if (remembered !== undefined) return identified(remembered, source);
    return sessions
      .check(presented.token, on)
      .then((checked) =>
        'problem' in checked ? { refused: checked.problem } : identified(checked.session, source),
      );
  };
}
