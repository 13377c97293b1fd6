import { Hono } from 'hono';
import * as v from 'valibot';
import { AppError } from '../errors.ts';
import { isCrossSite } from '../policy/cross-site.ts';
import { grantOf, isGranted, roleInForce, type Grant } from '../policy/grant.ts';
import { validBody } from '../validation.ts';
import type { GatewayDependencies, InForce } from './dependencies.ts';
import { clientOf, type GatewayEnvironment } from './gateway-environment.ts';
import { identifyBySession } from './session-identity.ts';

const text = v.string('Input should be text');
export const credentials = v.object({ user: text, password: text });

/** Cameras that a grant covers, of those there are. */
export function grantedCameras({ allCameras }: InForce, grant: Grant): string[] {
  return allCameras().filter((camera) => isGranted(grant, camera));
}

/** Login and logout: the endpoints that need no subject. */
export function sessionRoutes(dependencies: GatewayDependencies) {
  const { login, sessions, cookie, users, inForce, logger } = dependencies;
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
        const { host } = clientOf(c.env, inForce());
        if (isCrossSite(c.env.incoming.rawHeaders, host)) throw new AppError('forbidden');
        await next();
      },
      validBody(credentials),
      async (c) => {
        const { user, password } = c.req.valid('json');
        const settings = inForce();
        const client = clientOf(c.env, settings);
        const found = await login.verify(user, password, client.address).catch((error: unknown) => {
          const code = error instanceof AppError ? error.code : 'internal';
          logger.info({ user: user.slice(0, 64), address: client.address, code }, 'login refused');
          throw error;
        });
        const { token, maxAge } = await sessions.begin(found);
        c.header('set-cookie', cookie.set(token, maxAge, client.secure));
        c.header('cache-control', 'no-store');
        logger.info({ user: found.username, role: found.role, address: client.address }, 'login');
        const { customRoles } = settings.rules;
        const role = roleInForce(found.role, customRoles);
        const cameras = grantedCameras(settings, grantOf(role, customRoles));
        return c.json({ username: found.username, role, allowed_cameras: cameras });
      },
    );

  return app.on(['GET', 'POST'], ['/logout', '/api/logout'], async (c) => {
    const settings = inForce();
    const { host, secure, prefix } = clientOf(c.env, settings);
    const { rawHeaders, method } = c.env.incoming;
    if (method === 'POST' && isCrossSite(rawHeaders, host)) throw new AppError('forbidden');
    const identified = await identifyBySession(rawHeaders, dependencies, settings.rules.customRoles);
    if ('session' in identified && identified.session !== undefined) {
      await sessions.end(identified.session);
      logger.info({ user: identified.subject.user }, 'logout');
    }
    c.header('set-cookie', cookie.clear(secure));
    c.header('cache-control', 'no-store');
    return c.redirect(settings.logoutUrl ?? `${prefix}/login`, 303);
  });
}
