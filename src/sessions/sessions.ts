import { randomUUID } from 'node:crypto';
import type { Revocations } from './revocations.ts';
import type { SessionClaims, SessionTokens, TokenProblem } from './session-token.ts';

/** What a session token is held against, as the user is now. */
interface SessionUser {
  readonly username: string;
  readonly role: string;
  readonly generation: string;
  /** Seconds since the epoch. */
  readonly notBefore: number;
}

/** A good session token, and its user as the store has it now. */
export interface Session {
  readonly user: SessionUser;
  readonly claims: SessionClaims;
}

type SessionProblem = TokenProblem | 'token_revoked' | 'user_unknown';

export interface IssuedToken {
  readonly token: string;
  /** Seconds for the cookie; undefined: until the browser closes. */
  readonly maxAge: number | undefined;
}

export interface Sessions {
  /** Begins a session: a login. */
  begin(user: SessionUser): Promise<IssuedToken>;
  /** @returns the session of a token that is good at this moment */
  check(token: string): Promise<{ readonly session: Session } | { readonly problem: SessionProblem }>;
  /** Whether the session has so little time left that it is to be refreshed. */
  isDue(session: Session): boolean;
  /** @returns a new token of the same session; undefined when sessions are not refreshed */
  refresh(session: Session): Promise<IssuedToken | undefined>;
  /** Ends a session: every token of it is refused from now on. */
  end(session: Session): Promise<void>;
}

export interface SessionsDependencies {
  readonly tokens: SessionTokens;
  readonly revocations: Revocations;
  readonly findUser: (username: string) => Promise<SessionUser | undefined>;
  /** Seconds; 0: a session is a moment long and never refreshed. */
  readonly sessionLength: number;
  /** Seconds. */
  readonly refreshTime: number;
  /** Seconds since the epoch. */
  readonly now: () => number;
}

/** With `session_length: 0` a token lives just long enough for the page that follows the login. */
const momentLength = 30;

export function createSessions(dependencies: SessionsDependencies): Sessions {
  const { tokens, revocations, findUser, sessionLength, refreshTime, now } = dependencies;

  const issue = async (user: SessionUser, sessionId: string): Promise<IssuedToken> => {
    const issuedAt = Math.floor(now());
    const expiresAt = issuedAt + (sessionLength || momentLength);
    const claims = { username: user.username, issuedAt, expiresAt, sessionId, generation: user.generation };
    return { token: await tokens.issue(claims, user.role), maxAge: sessionLength || undefined };
  };

  return {
    begin: (user) => issue(user, randomUUID()),

    check: async (token) => {
      const verified = await tokens.verify(token);
      if ('problem' in verified) return verified;
      const { claims } = verified;
      const user = await findUser(claims.username);
      if (user === undefined) return { problem: 'user_unknown' };
      // The generation decides, whatever clocks do; a token that carries none is held against the time.
      const isCurrent =
        claims.generation === undefined
          ? claims.issuedAt >= user.notBefore
          : claims.generation === user.generation;
      if (!isCurrent || (await revocations.isRevoked(claims.sessionId))) return { problem: 'token_revoked' };
      return { session: { user, claims } };
    },

    isDue: ({ claims }) => sessionLength > 0 && claims.expiresAt - now() < refreshTime,

    refresh: async ({ user, claims }) => (sessionLength > 0 ? issue(user, claims.sessionId) : undefined),

    // A token of the session may have been refreshed a moment ago: it ends a whole length from now.
    end: ({ claims }) =>
      revocations.revoke(
        claims.sessionId,
        Math.max(claims.expiresAt, now() + (sessionLength || momentLength)),
      ),
  };
}
