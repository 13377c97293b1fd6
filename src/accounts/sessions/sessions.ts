import { randomUUID } from 'node:crypto';
import { boundedCache } from '../../bounded-cache.ts';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { isOfGeneration } from '../../policy/session-generation.ts';
import type { Permit, Reading } from '../../store/permit.ts';
import type { CacheTally } from '../../telemetry/tallies.ts';
import type { Revocations } from './revocations.ts';
import type { Session, SessionUser, SessionClaims, SessionTokens, TokenProblem } from './session-token.ts';

type SessionProblem = TokenProblem | 'token_revoked' | 'user_unknown' | 'user_blocked' | 'provider_removed';

/** Overrides for a new session. */
interface Beginning {
  /** Default: a new one. */
  readonly sessionId?: string;
  /** Milliseconds since the epoch, when the user proved their identity. Default: now. */
  readonly authenticatedAt?: number;
}

export interface IssuedToken {
  readonly token: string;
  /** Seconds that the cookie lasts; `undefined` until the browser closes. */
  readonly maxAgeSeconds: number | undefined;
  readonly claims: SessionClaims;
}

export interface Sessions {
  /** Begins a session at login. */
  begin(user: SessionUser, beginning?: Beginning): Promise<IssuedToken>;
  /** @returns a new token of the same session, whose user has just proved their identity again */
  renew(session: Pick<Session, 'user' | 'claims'>): Promise<IssuedToken>;
  /**
   * @param on a transaction to read through: the memory is neither used nor filled
   * @returns the session of a token that is valid now
   */
  check(
    token: string,
    on?: Reading,
  ): Promise<{ readonly session: Session } | { readonly problem: SessionProblem }>;
  /** @returns the session that `check` would return, if that is known without asking the store */
  recall(token: string): Session | undefined;
  /**
   * @param session that was valid for the token before; the token may have expired since
   * @returns the session as it is now: valid until the last token issued in it expires, unless it was ended
   */
  revalidate(session: Session, token: string): ReturnType<Sessions['check']>;
  /** Whether the session is due for a refresh. */
  isDue(session: Session): boolean;
  /** Milliseconds since the epoch, when `isDue` becomes true. */
  dueAt(session: Session): number;
  /** @returns a new token of the same session; undefined when sessions are not refreshed */
  refresh(session: Pick<Session, 'user' | 'claims'>): Promise<IssuedToken | undefined>;
  /** @returns the same with the current generation, but the expiry of the previous token: no provider was asked to extend it */
  reissue(session: Pick<Session, 'user' | 'claims'>): Promise<IssuedToken | undefined>;
  /** Ends a session: every token of it is rejected from now on. */
  end(
    session: { readonly claims: Pick<SessionClaims, 'sessionId' | 'expiresAt'> },
    permit: Permit,
  ): Promise<void>;
}

export interface SessionsDependencies {
  readonly tokens: SessionTokens;
  readonly revocations: Revocations;
  /** Milliseconds; 0: a session lasts a moment and is never refreshed. */
  readonly sessionLength: number;
  /** Milliseconds. */
  readonly refreshTime: number;
  readonly clock: Clock;
  /** The provider whose users may have sessions; `undefined` if there is none. */
  readonly issuer?: string | undefined;
  /** While it stays the same, users and revocations have not changed; NaN: unknown. */
  readonly storeVersion: () => number;
  /** Sessions that are remembered; one that was pushed out is verified again. Default: 20,000. */
  readonly mostRemembered?: number;
  readonly tally: CacheTally;
  /** Milliseconds since the epoch, when the last token seen of a session expires; `undefined` if none is valid. */
  readonly latestExpiry?: (sessionId: string) => Promise<number | undefined>;
}

/** With `session_length: 0` a token lives just long enough for the page after the login. */
const momentLength = 30_000;

const mostRefusals = 1_000;

/** A session that was found valid, at this version of the store. */
interface Remembered {
  readonly session: Session;
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

export function createSessions(dependencies: SessionsDependencies): Sessions {
  const { tokens, revocations, sessionLength, refreshTime, issuer, clock, storeVersion, tally } =
    dependencies;
  // Only valid sessions are remembered, so a flood without sessions cannot push one out.
  const remembered = boundedCache<string, Remembered>(dependencies.mostRemembered ?? 20_000);
  tally.held.set('sessions', () => remembered.size);
  // Former users still have signed tokens: a flood of them asks the store once for each.
  const refusals = boundedCache<string, { readonly problem: SessionProblem; readonly version: number }>(
    mostRefusals,
  );
  const dueAt = ({ expiresAt }: Session) =>
    sessionLength > 0 ? expiresAt - refreshTime : Number.POSITIVE_INFINITY;

  const issue = async (
    user: SessionUser,
    { sessionId, authenticatedAt }: Pick<SessionClaims, 'sessionId' | 'authenticatedAt'>,
    latest = Number.POSITIVE_INFINITY,
  ): Promise<IssuedToken> => {
    const issuedAt = wholeSeconds(clock.now()) * 1000;
    const expiresAt = Math.min(issuedAt + (sessionLength || momentLength), latest);
    const { username, generation } = user;
    const claims = { username, issuedAt, expiresAt, sessionId, generation, authenticatedAt };
    return {
      token: await tokens.issue(claims, user.role),
      maxAgeSeconds: sessionLength > 0 ? wholeSeconds(expiresAt - issuedAt) : undefined,
      claims,
    };
  };

  /** Checks a verified token against the store. @param version of the store, read before that */
  const compareWithStore = async (
    claims: SessionClaims,
    version: number,
    on?: Reading,
  ): Promise<{ readonly user: SessionUser } | { readonly problem: SessionProblem }> => {
    const name = nameOf(claims);
    const refusal = on === undefined ? refusals.get(name) : undefined;
    if (refusal?.version === version) return { problem: refusal.problem };
    const found = await revocations.userOf(claims, on);
    const refuse = (problem: SessionProblem) => {
      if (on === undefined) refusals.set(name, { problem, version });
      return { problem };
    };
    if (found === undefined) return refuse('user_unknown');
    const { user, isRevoked, isBlocked } = found;
    if (isRevoked || !isOfGeneration(claims, user)) return refuse('token_revoked');
    if (isBlocked) return refuse('user_blocked');
    if (user.issuer !== undefined && user.issuer !== issuer) return refuse('provider_removed');
    return { user };
  };

  const check: Sessions['check'] = async (token, on) => {
    const version = storeVersion();
    const since = clock.now();
    const verified = await tokens.verify(token);
    if ('problem' in verified) return verified;
    const { claims } = verified;
    const compared = await compareWithStore(claims, version, on);
    if ('problem' in compared) return compared;
    const session = sessionOf(compared.user, claims, claims.expiresAt);
    if (on === undefined) remember(token, session, { version, since });
    return { session };
  };

  const remember = (token: string, session: Session, found: Omit<Remembered, 'session'>) => {
    session.lastSeenAt = remembered.peek(token)?.session.lastSeenAt ?? session.lastSeenAt;
    // A copy: as a slice, the token would keep all of its header line in memory.
    remembered.set(Buffer.from(token, 'latin1').toString('latin1'), { session, ...found });
  };

  const sessionOf = (user: SessionUser, claims: SessionClaims, expiresAt: number): Session => ({
    user,
    claims,
    expiresAt,
    verifiedBy: tokens,
    lastSeenAt: Number.NEGATIVE_INFINITY,
  });

  return {
    begin: (user, { sessionId = randomUUID(), authenticatedAt = clock.now() } = {}) =>
      issue(user, { sessionId, authenticatedAt }),

    renew: ({ user, claims: { sessionId } }) => issue(user, { sessionId, authenticatedAt: clock.now() }),

    check,

    revalidate: async ({ claims, expiresAt, verifiedBy }, token) => {
      // Perhaps signed with another secret.
      if (verifiedBy !== tokens) return check(token);
      const version = storeVersion();
      const since = clock.now();
      const isOver = since >= expiresAt;
      const [until, compared] = await Promise.all([
        isOver ? dependencies.latestExpiry?.(claims.sessionId) : expiresAt,
        compareWithStore(claims, version),
      ]);
      if (until === undefined || clock.now() >= until) return { problem: 'token_expired' };
      if ('problem' in compared) return compared;
      const session = sessionOf(compared.user, claims, until);
      // An expired token is valid for this request only.
      if (until === claims.expiresAt) remember(token, session, { version, since });
      return { session };
    },

    recall: (token) => {
      const found = remembered.get(token);
      const now = clock.now();
      // From a time before `since`, the clock went back.
      const isValid =
        found?.version === storeVersion() && now >= found.since && now < found.session.expiresAt;
      if (!isValid) {
        tally.misses += 1;
        return undefined;
      }
      tally.hits += 1;
      return found.session;
    },

    dueAt,
    isDue: (session) => clock.now() > dueAt(session),

    refresh: async ({ user, claims }) => (sessionLength > 0 ? issue(user, claims) : undefined),

    reissue: async ({ user, claims }) =>
      sessionLength > 0 ? issue(user, claims, claims.expiresAt) : undefined,

    end: endSession({ revocations, sessionLength, clock }),
  };
}

/** Everything a token is checked against, besides the user. */
function nameOf({ username, sessionId, generation, issuedAt }: SessionClaims): string {
  return JSON.stringify([username, sessionId, generation, issuedAt]);
}

/** @returns `Sessions.end`, for callers that issue and check no tokens */
export function endSession({
  revocations,
  sessionLength,
  clock,
}: Pick<SessionsDependencies, 'sessionLength' | 'clock'> & {
  readonly revocations: Pick<Revocations, 'revoke'>;
}): Sessions['end'] {
  // A token of the session may have been refreshed a moment ago: it expires a full session length from now.
  return ({ claims }, permit) =>
    revocations.revoke(
      claims.sessionId,
      Math.max(claims.expiresAt, clock.now() + (sessionLength || momentLength)),
      permit,
    );
}
