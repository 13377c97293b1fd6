import * as v from 'valibot';
import type { Authenticate } from '../../access/authentication/authenticate.ts';
import type { Settings } from '../../access/settings/settings.ts';
import type { SessionRegistry } from '../../accounts/sessions/last-seen.ts';
import type { SessionCookie } from '../../accounts/sessions/session-cookie.ts';
import type { Sessions } from '../../accounts/sessions/sessions.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { AppError } from '../../errors.ts';
import { clientOf, contextOf, recipientOf } from '../../http/fronts/client.ts';
import { backTo } from '../../http/fronts/refusal-page.ts';
import { asksForPage, errorResponse } from '../../http/fronts/refusal.ts';
import { isCrossSite } from '../../policy/cross-site.ts';
import { unconditional } from '../../store/permit.ts';
import type { RequestLog } from '../../telemetry/request-log.ts';
import { requireSameSite } from '../request.ts';
import { endpoint, undocumentedEndpoint } from '../endpoint.ts';
import type { ApiContext } from '../environment.ts';

const logout = {
  audience: 'anyone',
  answers: {
    303: { meaning: 'The session has ended; `Location` is `logout_url` or the login page.' },
    503: {
      meaning:
        'The cookie is cleared, but the session could not be ended: the store cannot be written, and the session is valid until it expires.',
    },
  },
} as const;

interface LogoutDependencies {
  readonly settings: Settings;
  /** The user of a session token or an API token, whatever else the request contains. */
  readonly authenticateAccount: Authenticate;
  readonly sessions: Pick<Sessions, 'end'>;
  readonly sessionRegistry: Pick<SessionRegistry, 'forget'>;
  readonly cookie: Pick<SessionCookie, 'clear'>;
  /** `undefined` if there is no provider. */
  readonly providerLogout?: ProviderLogout | undefined;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly logger: RequestLog;
}

export const logOutByLink = endpoint({
  method: 'get',
  path: '/api/logout',
  level: 'own-account',
  tag: 'Sign-in',
  ...logout,
  summary: 'Sign out, by a link',
  handle: endOwnSession,
});

export const logOut = endpoint({
  method: 'post',
  path: '/api/logout',
  level: 'own-account',
  tag: 'Sign-in',
  ...logout,
  summary: 'Sign out, by a form or a program',
  queryParameters: { next: 'A path of this site, where someone else signs in and continues.' },
  // Nothing in its address makes a logout fail.
  query: v.object({ next: v.optional(v.pipe(v.unknown(), v.metadata({ type: 'string' }))) }),
  handle: endOwnSession,
});

export const openLogout = undocumentedEndpoint({
  method: 'get',
  path: '/logout',
  level: 'own-account',
  handle: endOwnSession,
});

export const submitLogout = undocumentedEndpoint({
  method: 'post',
  path: '/logout',
  level: 'own-account',
  handle: endOwnSession,
});

/** Removes the client's session. */
function endOwnSession(dependencies: LogoutDependencies) {
  const { settings, sessions, sessionRegistry, cookie, audit, logger } = dependencies;
  return async (c: ApiContext): Promise<Response> => {
    const { address, secure, prefix, host } = clientOf(c.env, settings);
    if (c.env.incoming.method === 'POST') await requireSameSite(c, dependencies);
    const identified = await dependencies.authenticateAccount(contextOf(c.env, settings));
    let atProvider: PreparedLogout | undefined;
    if ('session' in identified && identified.session !== undefined) {
      const { session } = identified;
      const { user, role, source } = identified.identity;
      if (session.user.issuer !== undefined) {
        // A browser that another site has led here loses only this session, unless the user confirms at the provider.
        const isForeign = isCrossSite(c.env.incoming.rawHeaders, {
          host,
          publicOrigin: settings.rules.publicOrigin,
        });
        atProvider = await dependencies.providerLogout?.prepare(
          isForeign ? undefined : session.claims.sessionId,
        );
      }
      try {
        await sessions.end(session, unconditional);
      } catch (cause) {
        const error = new AppError('session_not_ended', { cause });
        logger.warn({ err: error, code: error.code, user, address }, 'a logout did not end its session');
        const { status, headers, body } = errorResponse(error, recipientOf(c.env, settings).reader);
        return new Response(body, { status, headers: { ...headers, 'set-cookie': cookie.clear(secure) } });
      }
      sessionRegistry.forget(session.claims.sessionId);
      await audit.record({ event: 'logout', user, role, source, address });
    }
    c.header('set-cookie', cookie.clear(secure));
    c.header('cache-control', 'no-store');
    const next = nextOf(c.req.query('next'));
    const there = await atProvider?.urlTo(next);
    return there === undefined
      ? c.redirect(afterLogout(prefix, settings, next), 303)
      : leadToProvider(c, there);
  };
}

/**
 * A browser gets an empty page that continues by `Refresh`. The `form-action` of a page blocks redirects of a form to other
 * sites; and until the provider answers, the previous page would stay, find its session over, and go to the login instead of to
 * the provider.
 */
function leadToProvider(c: ApiContext, url: string): Response {
  if (!asksForPage(c.env.incoming)) return c.redirect(url, 303);
  c.header('refresh', `0; url=${url}`);
  return c.body(null, 200);
}

/**
 * Someone else signs in, and continues there. The login page checks that it is a path of this site; here it only has to
 * be a valid request target, since it goes into a header line.
 */
function nextOf(said: string | undefined): string | undefined {
  return said !== undefined && /^\/[\x21-\x7e]*$/.test(said) ? said : undefined;
}

/**
 * @param next a path of this site where someone else continues
 * @returns where the browser goes after a logout: a login that leads straight to a provider would log the same user in again
 */
export function afterLogout(
  prefix: string,
  { mode, logoutUrl, issuer }: Pick<Settings, 'mode' | 'logoutUrl' | 'issuer'>,
  next: string | undefined,
): string {
  if (next !== undefined && mode === 'session') {
    const back = backTo({ navigatedTo: next });
    // The parameters after `next` belong to the path in it.
    return `${prefix}/login${issuer === undefined ? back : `?logged-out${back.replace('?', '&')}`}`;
  }
  return logoutUrl ?? `${prefix}/login${issuer === undefined ? '' : '?logged-out'}`;
}

/** OpenID Connect RP-Initiated Logout 1.0: a logout here signs out at the provider too. */
export interface ProviderLogout {
  /**
   * Runs before the session ends here, since its row with the ID token goes with it. It never throws.
   * @param sessionId `undefined` if the provider has to ask the user, who may not have wanted this
   */
  prepare(sessionId: string | undefined): Promise<PreparedLogout>;
  /** @returns where the browser goes after the provider's logout; undefined if not specified, or too long ago */
  nextOf(state: string | undefined): Promise<string | undefined>;
}

interface PreparedLogout {
  /**
   * @param next a path of this site, where the next user continues
   * @returns undefined if the provider offers no logout, or its metadata is not there in time
   */
  urlTo(next: string | undefined): Promise<string | undefined>;
}
