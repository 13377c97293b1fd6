import type { Settings } from '../../access/settings/settings.ts';
import { deviceOf } from '../../accounts/sessions/session-cookie.ts';
import type { Sessions } from '../../accounts/sessions/sessions.ts';
import type { SessionState } from '../../accounts/users/user-rows.ts';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { AppError } from '../../errors.ts';
import { clientOf, contextOf } from '../../http/fronts/client.ts';
import { headerValues } from '../../policy/raw-headers.ts';
import { accessOfRole, currentRole } from '../../policy/role-access.ts';
import type { Tallies } from '../../telemetry/tallies.ts';
import type { SessionCookieHeader } from '../request.ts';
import type { ApiContext } from '../environment.ts';
import type { CurrentRuntime } from '../permit.ts';
import { grantedCameras } from '../users/shown-access.ts';

/** A sign-in, for the alert to the user about a new device. */
export interface SignIn {
  readonly user: string;
  /** Id of the browser; undefined for a program, or a browser that keeps no cookies. */
  readonly device: string | undefined;
  readonly address: string;
  /** `User-Agent` */
  readonly agent: string | undefined;
}

export interface FinishLoginDependencies {
  readonly settings: Settings;
  /** A reload may have happened while a password was verified. */
  readonly current: () => Pick<CurrentRuntime, 'settings' | 'renewRolesIn'>;
  readonly sessions: Pick<Sessions, 'begin'>;
  readonly cookieHeader: SessionCookieHeader;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly tallies: Pick<Tallies, 'logins'>;
  readonly alerts: { readonly signedIn: (signIn: SignIn) => void };
}

/** How users proved their identity. */
interface FinishedBy extends Pick<AuditEntry, 'source' | 'detail'> {
  readonly beginning?: Parameters<Sessions['begin']>[1];
}

/**
 * Begins the session of a user who has proved their identity, by any method.
 * @returns the answer of the login. @throws AppError `authentication_disabled`
 */
export async function finishLogin(
  { settings, current, sessions, cookieHeader, audit, tallies, alerts }: FinishLoginDependencies,
  c: ApiContext,
  user: SessionState,
  { beginning, ...how }: FinishedBy,
) {
  const issued = await sessions.begin(user, beginning);
  if (current().settings.mode === 'proxy') throw new AppError('authentication_disabled');
  cookieHeader.set(c, issued);
  tallies.logins.success += 1;
  c.header('cache-control', 'no-store');
  const { roles } = settings.rules;
  const role = currentRole(user.role, roles);
  const { address } = clientOf(c.env, settings);
  const { headers } = contextOf(c.env, settings);
  const device = deviceOf(headerValues(headers, 'cookie'));
  alerts.signedIn({ user: user.username, device, address, agent: c.req.header('user-agent') });
  await audit.record({ event: 'login', user: user.username, role, ...how, address });
  const cameras = grantedCameras(settings, accessOfRole(role, roles).cameras);
  return { username: user.username, role, allowed_cameras: cameras };
}

const code = 'too_many_requests';

/** The audit entry of a login that a limit has refused. */
export const limitedLogin = {
  event: 'login_limited',
  reason: code,
  detail: { code },
} as const satisfies AuditEntry;

interface LimitedLoginDependencies {
  readonly audit: Pick<AuditLog, 'record'>;
  readonly tallies: Pick<Tallies, 'logins'>;
}

/** Counts and records such a login, in place of the record of other refusals. */
export async function recordLimitedLogin(
  { audit, tallies }: LimitedLoginDependencies,
  c: ApiContext,
  how: Pick<AuditEntry, 'source' | 'address'>,
): Promise<void> {
  tallies.logins.limited += 1;
  await audit.record({ ...limitedLogin, ...how });
  c.set('isRecorded', true);
}
