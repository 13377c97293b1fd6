import { Hono } from 'hono';
import * as v from 'valibot';
import { username } from '../accounts/credentials.ts';
import { unconditional } from '../accounts/users.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import { isCrossSite } from '../policy/cross-site.ts';
import { grantOf, isGranted, roleInForce, type Grant } from '../policy/grant.ts';
import type { LoginResult } from '../telemetry/tallies.ts';
import { validBody } from '../validation.ts';
import type { GatewayDependencies, InForce } from './dependencies.ts';
import { clientOf, type GatewayContext, type GatewayEnvironment } from './gateway-environment.ts';
import { handOver } from './hand-over.ts';
import { errorResponse, wantsPage } from './refusal.ts';
import { identifyBySession } from './session-identity.ts';

const text = v.string('Input should be text');
export const credentials = v.object({ user: text, password: text });

/** Cameras that a grant covers, of those there are. */
export function grantedCameras({ allCameras }: InForce, grant: Grant): string[] {
  return allCameras().filter((camera) => isGranted(grant, camera));
}

function resultOf(code: ErrorCode): LoginResult {
  if (code === 'login_failed') return 'failure';
  return code === 'too_many_requests' ? 'limited' : 'error';
}

/** Login and logout: the endpoints that need no subject. */
export function sessionRoutes(dependencies: GatewayDependencies) {
  const { login, sessions, sessionRegistry, cookie, users, inForce, current, audit, tallies, logger } =
    dependencies;
  const requireSameSite = async (c: GatewayContext) => {
    const { host, address } = clientOf(c.env, inForce());
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
  const app = new Hono<GatewayEnvironment>()
    .get('/api/login', async (c) => {
      c.header('cache-control', 'no-store');
      const enabled = inForce().mode === 'session';
      return c.json({
        enabled,
        generated_password_unused: enabled && (await users.isGeneratedPasswordUnused()),
        return_domains: inForce().returnDomains,
      });
    })
    .post(
      '/api/login',
      async (c, next) => {
        if (inForce().mode === 'proxy') throw new AppError('authentication_disabled');
        await requireSameSite(c);
        await next();
      },
      validBody(credentials),
      async (c) => {
        const { user, password } = c.req.valid('json');
        const settings = inForce();
        const client = clientOf(c.env, settings);
        const found = await login.verify(user, password, client.address).catch(async (error: unknown) => {
          tallies.logins[resultOf(error instanceof AppError ? error.code : 'internal')] += 1;
          await audit.record({ ...(await failedLogin(user, error)), address: client.address });
          c.set('isRecorded', true);
          throw error;
        });
        const issued = await sessions.begin(found);
        if (current().inForce.mode === 'proxy') throw new AppError('authentication_disabled');
        handOver(c, issued, dependencies);
        tallies.logins.success += 1;
        c.header('cache-control', 'no-store');
        const { customRoles } = settings.rules;
        const role = roleInForce(found.role, customRoles);
        const { address } = client;
        await audit.record({ event: 'login', user: found.username, role, source: 'password', address });
        const cameras = grantedCameras(settings, grantOf(role, customRoles));
        return c.json({ username: found.username, role, allowed_cameras: cameras });
      },
    );

  return app.on(['GET', 'POST'], ['/logout', '/api/logout'], async (c) => {
    const settings = inForce();
    const { address, secure, prefix } = clientOf(c.env, settings);
    const { rawHeaders, method } = c.env.incoming;
    if (method === 'POST') await requireSameSite(c);
    const identified = await identifyBySession(rawHeaders, dependencies, settings.rules.customRoles);
    if ('session' in identified && identified.session !== undefined) {
      const { user, role, source } = identified.subject;
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
