import { boundedCache } from '../../bounded-cache.ts';
import { type ProviderFault, ProviderError } from '../../accounts/provider.ts';
import type { Clock } from '../../clock.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Session } from '../../accounts/sessions/session-token.ts';
import type { Sessions } from '../../accounts/sessions/sessions.ts';
import type { RequestLog } from '../../telemetry/request-log.ts';
import type { ClaimedSession, KnownSession, ProviderSessions } from './provider-sessions.ts';
import type { Claims, Provider, ProviderGrant } from './provider.ts';
import type { ClaimsReport, SignOn } from './sign-on.ts';

/** The role that a user's claims give with the current configuration. */
export type Decided =
  | { readonly role: string; readonly roleReason: string }
  | {
      /** The reason for the audit log. */
      readonly refused: string;
    };

/**
 * Whether the provider has confirmed the session since it became due. Otherwise the provider is asked in the background, and
 * the next request finds its answer.
 */
type MayRefresh = (session: Session) => Promise<boolean>;

export interface SessionRefreshDependencies {
  readonly provider: Pick<Provider, 'refresh'>;
  readonly issuer: string;
  readonly decide: (claims: Claims) => Decided;
  readonly explain: SignOn['explain'];
  readonly providerSessions: Pick<
    ProviderSessions,
    'find' | 'claim' | 'renew' | 'noteFault' | 'end' | 'block'
  >;
  readonly sessions: Pick<Sessions, 'dueAt'>;
  /** Milliseconds. */
  readonly lengths: { readonly sessionLength: number; readonly refreshTime: number };
  readonly audit: Pick<AuditLog, 'record'>;
  readonly logger: Pick<RequestLog, 'info' | 'warn' | 'error'>;
  readonly clock: Clock;
  /** Holds background tasks while they run. */
  readonly underWay: Set<Promise<unknown>>;
}

/** Sessions to remember whose rows were read a moment ago; every other request reads the row. */
const mostResting = 10_000;

/** Milliseconds until the row of a due session is read again. */
const rest = 1_000;

/** Milliseconds for which this process asks nothing after the provider was away. */
const pause = 60_000;

/** Milliseconds until this process tries again to open a token that was sealed with another key. */
const restOfUnreadable = 600_000;

/** This refusal does not mean that the user has lost the role. */
const concernsNameAlone = 'oidc_name_invalid';

/** Sessions of a provider stay valid while it confirms them. It is asked in the background, by one process at a time. */
export function createSessionRefresh(dependencies: SessionRefreshDependencies): MayRefresh {
  const {
    provider,
    issuer,
    decide,
    explain,
    providerSessions,
    sessions,
    lengths,
    audit,
    logger,
    clock,
    underWay,
  } = dependencies;
  const resting = boundedCache<string, number>(mostResting);
  let pausedUntil = 0;

  const ended = (session: ClaimedSession, reason: string, detail: Partial<ClaimsReport> = {}) =>
    audit.record({
      event: 'session_ended_by_provider',
      source: 'oidc',
      object: session.username,
      reason,
      detail: { session: session.sessionId, ...detail },
    });

  const renew = async (session: ClaimedSession, grant: ProviderGrant) => {
    pausedUntil = 0;
    const decided = decide(grant.claims);
    if ('refused' in decided) {
      const isOver =
        decided.refused === concernsNameAlone
          ? await providerSessions.end(session)
          : await providerSessions.block(session);
      if (isOver) await ended(session, decided.refused, explain(grant.claims));
      return;
    }
    // A session that is due now has the refresh time left; a token issued then lives its full length.
    const expiresAt = clock.now() + lengths.refreshTime + lengths.sessionLength;
    const former = await providerSessions.renew(session, grant, decided, expiresAt);
    if (former !== undefined && former !== decided.role)
      await audit.record({
        event: 'user_role_changed',
        source: 'oidc',
        object: session.username,
        detail: { role: decided.role, former, why: decided.roleReason },
      });
  };

  const failed = async (
    session: ClaimedSession,
    fault: ProviderFault,
    cause: string,
    rotated: string | undefined,
  ) => {
    // An error in the response for one user does not pause the others' sessions.
    if (fault === 'away') pausedUntil = clock.now() + pause;
    logger.warn(
      { issuer, user: session.username, fault, cause },
      'the provider could not be asked about a session, which lasts until its end',
    );
    await providerSessions.noteFault(session, fault, rotated);
  };

  const ask = async (session: ClaimedSession) => {
    const { sessionId, refreshToken } = session;
    if (refreshToken === undefined) {
      resting.set(sessionId, clock.now() + restOfUnreadable);
      logger.warn(
        { issuer, user: session.username },
        'the refresh token of a session was sealed with another key: the session lasts until its end',
      );
      await providerSessions.noteFault(session, 'unreadable');
      return;
    }
    let rotated: string | undefined;
    try {
      const grant = await provider.refresh(refreshToken, session.subject, (token) => (rotated = token));
      await renew(session, grant);
      resting.delete(sessionId);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (error.kind !== 'refused') await failed(session, error.kind, error.message, rotated);
      else if (await providerSessions.end(session)) {
        logger.info({ issuer, user: session.username, cause: error.message }, 'the provider ended a session');
        await ended(session, error.oauthError ?? 'refused');
      }
    }
  };

  const askInBackground = (known: KnownSession) => {
    const done = providerSessions
      .claim(known)
      .then((claimed) => claimed && ask(claimed))
      .catch((error: unknown) => logger.error({ err: error }, 'a session was not refreshed'))
      .finally(() => underWay.delete(done));
    underWay.add(done);
  };

  return async (session) => {
    const { sessionId } = session.claims;
    const now = clock.now();
    const dueAt = sessions.dueAt(session);
    if (now <= dueAt) return false;
    if ((resting.get(sessionId) ?? 0) > now) return false;
    resting.set(sessionId, now + rest);
    const known = await providerSessions.find(sessionId);
    if (known === undefined || known.issuer !== issuer || !known.canBeAsked) return false;
    if (known.checkedAt >= dueAt) {
      resting.delete(sessionId);
      return true;
    }
    const isPaused = now < pausedUntil && pausedUntil <= now + pause;
    if (!isPaused && !known.isClaimed) askInBackground(known);
    return false;
  };
}
