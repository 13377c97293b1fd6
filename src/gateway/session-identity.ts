import { isApiToken, type ApiTokens } from '../accounts/api-tokens.ts';
import type { Reading } from '../accounts/users.ts';
import { roleInForce, type CustomRoles } from '../policy/grant.ts';
import { headerValues, type RawHeaders } from '../policy/raw-headers.ts';
import type { Reason } from '../policy/reasons.ts';
import type { Subject } from '../policy/verdict.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import { identifiedByApiToken } from './api-token-identity.ts';

export type SessionIdentification =
  | { readonly subject: Subject; readonly session?: Session }
  | { readonly refused: Reason };

interface Identifying {
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  readonly apiTokens: ApiTokens;
}

/**
 * Who the session token or the API token says is asking. A bearer beats the cookie, and one that is no good is not rescued
 * by it. The role of a session is the user's now, not the token's; one that is defined no longer counts as viewer.
 * @param on a transaction to read through
 */
export async function identifyBySession(
  headers: RawHeaders,
  { sessions, cookie, apiTokens }: Identifying,
  customRoles: CustomRoles,
  on?: Reading,
): Promise<SessionIdentification> {
  const presented = presentedToken(headers, cookie);
  if ('refused' in presented) return presented;
  if (presented.source === 'token')
    return identifiedByApiToken(await apiTokens.check(presented.token, on), customRoles);
  const checked = await sessions.check(presented.token, on);
  if ('problem' in checked) return { refused: checked.problem };
  return identified(checked.session, presented.source, customRoles);
}

/** The same, from what `identifyBySession` found before. @returns undefined when that is not known without asking */
export function recallSession(
  headers: RawHeaders,
  { sessions, cookie, apiTokens }: Identifying,
  customRoles: CustomRoles,
): SessionIdentification | undefined {
  const presented = presentedToken(headers, cookie);
  if ('refused' in presented) return presented;
  if (presented.source === 'token') {
    const found = apiTokens.recall(presented.token);
    return found && identifiedByApiToken(found, customRoles);
  }
  const session = sessions.recall(presented.token);
  return session && identified(session, presented.source, customRoles);
}

function identified(
  session: Session,
  source: 'bearer' | 'session',
  customRoles: CustomRoles,
): SessionIdentification {
  const { username, role } = session.user;
  return {
    session,
    subject: {
      user: username,
      role: roleInForce(role, customRoles),
      source,
      groups: '',
      email: '',
      name: '',
    },
  };
}

function presentedToken(
  headers: RawHeaders,
  cookie: SessionCookie,
):
  | { readonly token: string; readonly source: 'bearer' | 'session' | 'token' }
  | { readonly refused: Reason } {
  const authorization = headerValues(headers, 'authorization');
  if (authorization.length > 1) return { refused: 'token_ambiguous' };
  const bearer = authorization[0] === undefined ? null : /^bearer(?:\s+(.*))?$/i.exec(authorization[0]);
  if (bearer !== null) {
    const token = bearer[1] ?? '';
    return { token, source: isApiToken(token) ? 'token' : 'bearer' };
  }
  const read = cookie.read(headerValues(headers, 'cookie'));
  if (read === 'ambiguous') return { refused: 'token_ambiguous' };
  return read === 'absent' ? { refused: 'no_session' } : { ...read, source: 'session' };
}
