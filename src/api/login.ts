import { authorizationRequestOfClient, clientOf } from '../fronts/client.ts';
import { unconditional } from '../store/permit.ts';
import type { Settings } from '../settings/settings.ts';
import { Hono } from 'hono';
import * as v from 'valibot';
import { username } from '../accounts/credentials.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import { isCrossSite } from '../policy/cross-site.ts';
import { grantOf, isGranted, currentRole, type Grant } from '../policy/grant.ts';
import type { LoginResult } from '../telemetry/tallies.ts';
import { validBody } from '../validation.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { ApiContext, ApiEnvironment } from './request-context.ts';
import { setSessionCookie } from './session-cookie-header.ts';
import { errorResponse, wantsPage } from '../fronts/refusal.ts';

const text = v.string('Input should be text');
export const credentials = v.object({ user: text, password: text });

/** Cameras that a grant covers, of those there are. */
export function grantedCameras({ allCameras }: Settings, grant: Grant): string[] {
  return allCameras().filter((camera) => isGranted(grant, camera));
}

function resultOf(code: ErrorCode): LoginResult {
  if (code === 'login_failed') return 'failure';
  return code === 'too_many_requests' ? 'limited' : 'error';
}

/** Login and logout: the endpoints that need no identity. */
export function sessionRoutes(dependencies: ApiDependencies) {
  const { login, sessions, sessionRegistry, cookie, users, settings, current, audit, tallies, logger } =
    dependencies;
  const requireSameSite = async (c: ApiContext) => {
    const { host, address } = clientOf(c.env, settings);
    if (!isCrossSite(c.env.incoming.rawHeaders, host)) return;
    await audit.record({ event: 'refused', address, object: c.env.path, reason: 'cross_site' });
    throw new AppError('forbidden');
  };
  /** Only the name of a user is told: what else was typed as one may be a password. */
  const failedLogin = async (name: string, error: unknown): Promise<AuditEntry> => {
    const code = error instanceof AppError ? error.code : 'internal';
    const user = v.is(username, name) ? (await users.find(name))?.username : undefined;
    if (code === 'too_many_requests') return { event: 'login_limited', user, reason: code, detail: { code } };
    const whose = user === undefined ? 'user_unknown' : 'wrong_password';
    return { event: 'login_failed', user, reason: code === 'login_failed' ? whose : code, detail: { code } };
  };
  const app = new Hono<ApiEnvironment>()
    .get('/api/login', async (c) => {
      c.header('cache-control', 'no-store');
      const enabled = settings.mode === 'session';
      return c.json({
        enabled,
        generated_password_unused: enabled && (await users.isGeneratedPasswordUnused()),
        return_domains: settings.returnDomains,
      });
    })
    .post(
      '/api/login',
      async (c, next) => {
        if (settings.mode === 'proxy') throw new AppError('authentication_disabled');
        await requireSameSite(c);
        await next();
      },
      validBody(credentials),
      async (c) => {
        const { user, password } = c.req.valid('json');
        const client = clientOf(c.env, settings);
        const found = await login.verify(user, password, client.address).catch(async (error: unknown) => {
          tallies.logins[resultOf(error instanceof AppError ? error.code : 'internal')] += 1;
          await audit.record({ ...(await failedLogin(user, error)), address: client.address });
          c.set('isRecorded', true);
          throw error;
        });
        const issued = await sessions.begin(found);
        if (current().settings.mode === 'proxy') throw new AppError('authentication_disabled');
        setSessionCookie(c, issued, dependencies);
        tallies.logins.success += 1;
        c.header('cache-control', 'no-store');
        const { customRoles } = settings.rules;
        const role = currentRole(found.role, customRoles);
        const { address } = client;
        await audit.record({ event: 'login', user: found.username, role, source: 'password', address });
        const cameras = grantedCameras(settings, grantOf(role, customRoles));
        return c.json({ username: found.username, role, allowed_cameras: cameras });
      },
    );

  return app.on(['GET', 'POST'], ['/logout', '/api/logout'], async (c) => {
    const { address, secure, prefix } = clientOf(c.env, settings);
    const { method } = c.env.incoming;
    if (method === 'POST') await requireSameSite(c);
    const identified = await dependencies.authenticateAccount(authorizationRequestOfClient(c.env, settings));
    if ('session' in identified && identified.session !== undefined) {
      const { user, role, source } = identified.identity;
      try {
        await sessions.end(identified.session, unconditional);
      } catch (cause) {
        const error = new AppError('session_not_ended', { cause });
        logger.warn({ err: error, code: error.code, user, address }, 'a logout did not end its session');
        const page = wantsPage((name) => c.req.header(name));
        const { status, headers, body } = errorResponse(error, page, `${prefix}/login`);
        return new Response(body, { status, headers: { ...headers, 'set-cookie': cookie.clear(secure) } });
      }
      sessionRegistry.forget(identified.session.claims.sessionId);
      await audit.record({ event: 'logout', user, role, source, address });
    }
    c.header('set-cookie', cookie.clear(secure));
    c.header('cache-control', 'no-store');
    return c.redirect(settings.logoutUrl ?? `${prefix}/login`, 303);
  });
}
