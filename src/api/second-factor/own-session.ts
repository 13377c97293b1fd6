import { AppError } from '../../errors.ts';
import type { Session } from '../../accounts/sessions/session-token.ts';
import type { Settings } from '../../access/settings/settings.ts';
import type { ApiContext } from '../environment.ts';

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
