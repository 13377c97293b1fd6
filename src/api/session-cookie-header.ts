import { contextOf, clientOf } from '../http/fronts/client.ts';
import type { LastSeen } from '../access/last-seen.ts';
import type { SessionCookie } from '../accounts/sessions/session-cookie.ts';
import type { IssuedToken } from '../accounts/sessions/sessions.ts';
import type { Settings } from '../access/settings/settings.ts';
import type { ApiContext } from './environment.ts';

/** The `Set-Cookie` of an answer. */
export interface SessionCookieHeader {
  /** Sets the session cookie to a token that was just issued: that counts as a use of the session. */
  set(c: ApiContext, issued: IssuedToken): void;
  clear(c: ApiContext): void;
}

export function sessionCookieHeader(
  cookie: SessionCookie,
  lastSeen: Pick<LastSeen, 'noteIssued'>,
  settings: Settings,
): SessionCookieHeader {
  return {
    set: (c, { token, maxAgeSeconds, claims }) => {
      const request = contextOf(c.env, settings);
      lastSeen.noteIssued(claims, request);
      c.header('set-cookie', cookie.set(token, maxAgeSeconds, request.secure));
    },
    clear: (c) => c.header('set-cookie', cookie.clear(clientOf(c.env, settings).secure)),
  };
}
