import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { AppError } from '../errors.ts';
import { isGranted } from '../policy/grant.ts';
import type { AccessRequest, Allowed, Edge } from '../policy/verdict.ts';
import type { Authorise } from './authoriser.ts';
import type { GatewayDependencies } from './dependencies.ts';
import { accessRequestOfNginx, answerNginx } from './nginx-dialect.ts';
import { errorResponse, refusalAnswer, wantsPage, type Answer } from './refusal.ts';

/** Facts of the listener that accepted a request, and its canonical path. */
export interface GatewayBindings extends HttpBindings {
  readonly edge: Edge;
  readonly listener: 'client-facing' | 'forward-auth';
  readonly path: string;
}

interface GatewayEnvironment {
  Bindings: GatewayBindings;
  Variables: { allowed: Allowed };
}

type GatewayContext = Context<GatewayEnvironment>;

const loginUrl = '/login';

/** The gate's own endpoints, the same on every listener. */
export function createGateway(dependencies: GatewayDependencies, authorise: Authorise) {
  const { mode, logoutUrl, allCameras } = dependencies;
  const login = mode === 'session' ? loginUrl : undefined;

  const app = new Hono<GatewayEnvironment>({
    // Routes see the path that the verdict was made for, not a second reading of the URI.
    getPath: (_, options) => (options as { env: GatewayBindings }).env.path,
  });

  app.all('/auth', async (c) => {
    const verdict = await authorise(
      c.env.listener === 'forward-auth'
        ? accessRequestOfNginx(c.env.incoming.rawHeaders, c.env.edge)
        : accessRequestOfClient(c.env),
    );
    if (c.env.listener === 'client-facing' && verdict.kind !== 'allow') {
      return toResponse(refusalAnswer(verdict, login, false));
    }
    return answerNginx(verdict, login);
  });

  app.post('/api/login', () => {
    throw new AppError(mode === 'proxy' ? 'authentication_disabled' : 'unauthenticated');
  });

  app.on(['GET', 'POST'], ['/logout', '/api/logout'], (c) => {
    c.header('cache-control', 'no-store');
    return c.redirect(logoutUrl ?? loginUrl, 303);
  });

  app.use('*', async (c, next) => {
    const verdict = await authorise(accessRequestOfClient(c.env));
    if (verdict.kind !== 'allow') return toResponse(refusalAnswer(verdict, login, wantsPageOf(c)));
    c.set('allowed', verdict);
    c.header('cache-control', 'no-store');
    return next();
  });

  const camerasOf = ({ grant }: Allowed) => allCameras().filter((camera) => isGranted(grant, camera));

  app.get('/api/profile', (c) => {
    const { subject } = c.var.allowed;
    if (subject === undefined) throw new AppError('unauthenticated');
    return c.json({ username: subject.user, role: subject.role, allowed_cameras: camerasOf(c.var.allowed) });
  });

  app.get('/api/cameras', (c) => c.json(camerasOf(c.var.allowed)));

  app.notFound((c) => toResponse(errorResponse(new AppError('not_found'), wantsPageOf(c))));
  app.onError((error, c) => {
    if (!(error instanceof AppError)) dependencies.logger.error({ err: error }, 'gateway failed');
    return toResponse(errorResponse(error, wantsPageOf(c)));
  });
  return app;
}

/** On a client-facing listener, and for account requests that a front passes on, the request speaks for itself. */
function accessRequestOfClient({ edge, incoming }: GatewayBindings): AccessRequest {
  return { edge, method: incoming.method, uri: incoming.url, headers: incoming.rawHeaders };
}

function wantsPageOf(c: GatewayContext): boolean {
  return wantsPage((name) => c.req.header(name));
}

function toResponse({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers });
}
