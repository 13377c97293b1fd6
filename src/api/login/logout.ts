import * as v from 'valibot';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Authenticate } from '../../access/authentication/authenticate.ts';
import { AppError } from '../../errors.ts';
import { contextOf, clientOf } from '../../http/fronts/client.ts';
import { recipientOf } from '../../http/fronts/recipient.ts';
import { asksForPage, errorResponse } from '../../http/fronts/refusal.ts';
import { isCrossSite } from '../../policy/cross-site.ts';
import type { SessionRegistry } from '../../identity/sessions/last-seen.ts';
import type { SessionCookie } from '../../identity/sessions/session-cookie.ts';
import type { Sessions } from '../../identity/sessions/sessions.ts';
import type { Settings } from '../../access/settings/settings.ts';
import type { PreparedLogout, ProviderLogout } from '../../identity/oidc/provider-logout.ts';
import { unconditional } from '../../store/permit.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { afterLogout } from '../after-logout.ts';
import { endpoint, undocumentedEndpoint } from '../endpoint.ts';
import type { ApiContext } from '../environment.ts';
import { requireSameSite } from '../require-same-site.ts';

const logout = {
  audience: 'anybody',
  answers: {
    303: { meaning: 'The session has ended; `Location` is `logout_url` or the login.' },
    503: {
      meaning:
        'The cookie is cleared, but the session could not be ended, and is good until it expires: the store cannot be written.',
    },
  },
} as const;

interface LogoutDependencies {
  readonly settings: Settings;
  /** Whom a session token or an API token names, whatever else the request says. */
  readonly authenticateAccount: Authenticate;
  readonly sessions: Pick<Sessions, 'end'>;
  readonly sessionRegistry: Pick<SessionRegistry, 'forget'>;
  readonly cookie: Pick<SessionCookie, 'clear'>;
  /** Undefined: nobody signs in at a provider. */
  readonly providerLogout?: ProviderLogout | undefined;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly logger: Logger;
}

export const logOutByLink = endpoint({
  method: 'get',
  path: '/api/logout',
  level: 'own-account',
  tag: 'Login',
  ...logout,
  summary: 'Log out, by a link',
  handle: endOwnSession,
});

export const logOut = endpoint({
  method: 'post',
  path: '/api/logout',
  level: 'own-account',
  tag: 'Login',
  ...logout,
  summary: 'Log out, by a form or a program',
  queryParameters: { next: 'A path of this site: somebody else logs in, and goes on there.' },
  // A logout is refused for nothing in its address.
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

/** The client has no session afterwards. */
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
        // Whoever is led here from elsewhere loses this session alone, unless they tell the provider so.
        const isForeign = isCrossSite(c.env.incoming.rawHeaders, host);
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
 * A browser that shows a page gets an empty one that goes on by `Refresh`. It is held against the `form-action` of a page by each
 * redirect that a form comes to; and until the provider answers, the former page would live on, find its session over, and lead
 * to the login in place of the provider.
 */
function leadToProvider(c: ApiContext, url: string): Response {
  if (!asksForPage(c.env.incoming)) return c.redirect(url, 303);
  c.header('refresh', `0; url=${url}`);
  return c.body(null, 200);
}

/**
 * Somebody else wants to log in, and go on there. The page of the login looks whether it is a path of this site; here it has to be
 * what a request target is made of, since a header line takes nothing else.
 */
function nextOf(said: string | undefined): string | undefined {
  return said !== undefined && /^\/[\x21-\x7e]*$/.test(said) ? said : undefined;
}
