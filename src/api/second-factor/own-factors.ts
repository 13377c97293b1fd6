import type { Settings } from '../../access/settings/settings.ts';
import type { ChangeLimit } from '../../accounts/limits/change-limit.ts';
import type { Sealing } from '../../accounts/sealing.ts';
import type { Factors } from '../../accounts/second-factor/factors.ts';
import type { Passkeys } from '../../accounts/second-factor/passkeys.ts';
import type { Session } from '../../accounts/sessions/session-token.ts';
import type { Sessions } from '../../accounts/sessions/sessions.ts';
import type { SessionState } from '../../accounts/users/user-rows.ts';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import type { AuditEvent } from '../../audit/audit-events.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { type SessionCookieHeader, actorOf } from '../request.ts';
import type { ApiContext } from '../environment.ts';
import { requireStepUp } from '../require-step-up.ts';

/** Access to your own factors: not for programs, but for users who still have to set up a factor that they need. */
export const ownFactor = { level: 'own-account', requiresSession: true, beforeSecondFactor: true } as const;

export interface OwnFactorsDependencies {
  readonly settings: Settings;
  readonly factors: Factors;
  readonly passkeys: Passkeys;
  readonly sealing: Sealing;
  readonly sessions: Pick<Sessions, 'begin'>;
  readonly cookieHeader: SessionCookieHeader;
  readonly changeLimit: ChangeLimit;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly clock: Clock;
}

/** The account whose factors change: by its session, and after a recent proof. */
export function ownAccount({
  settings,
  changeLimit,
  sessions,
  cookieHeader,
  audit,
  clock,
}: OwnFactorsDependencies) {
  return {
    sessionToChange: async (c: ApiContext): Promise<Session> => {
      const session = localSession(c, settings);
      requireStepUp(c, clock);
      await changeLimit.take('own_factors', session.user.username);
      return session;
    },
    record: (c: ApiContext, event: AuditEvent, detail?: AuditEntry['detail']) =>
      audit.record({ event, ...actorOf(c, settings), object: c.var.session?.user.username, detail }),
    /** The first factor ends all sessions but the current one. */
    goOn: async (c: ApiContext, { claims }: Session, began: SessionState | undefined) => {
      if (began === undefined) return;
      const { sessionId, authenticatedAt } = claims;
      const proved = authenticatedAt === undefined ? {} : { authenticatedAt };
      const issued = await sessions.begin(began, { sessionId, ...proved });
      cookieHeader.set(c, issued);
    },
  };
}

/**
 * @returns the session of the request
 * @throws AppError `authentication_disabled` where a proxy authenticates, `forbidden` where everyone is anonymous
 */
export function ownSession(c: ApiContext, settings: Pick<Settings, 'mode'>): Session {
  if (settings.mode === 'proxy') throw new AppError('authentication_disabled');
  if (c.var.session === undefined) throw new AppError('forbidden');
  return c.var.session;
}

/** Requires an account that has its factors here too. @throws AppError `user_of_provider` too */
export function localSession(c: ApiContext, settings: Pick<Settings, 'mode'>): Session {
  const session = ownSession(c, settings);
  if (session.user.issuer !== undefined) throw new AppError('user_of_provider');
  return session;
}
