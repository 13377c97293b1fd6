import { Hono } from 'hono';
import { AppError } from '../errors.ts';
import { readBody, ValidationError } from '../validation.ts';
import type { Authoriser } from './authoriser.ts';
import type { DecisionLog } from './decision-log.ts';
import type { GatewayDependencies } from './dependencies.ts';
import {
  accessRequestOfClient,
  clientOf,
  loginUrlOf,
  type GatewayBindings,
  type GatewayContext,
  type GatewayEnvironment,
} from './gateway-environment.ts';
import { auditRoutes } from './audit-routes.ts';
import { configurationRoutes } from './configuration-routes.ts';
import { explainRoutes } from './explain-routes.ts';
import { accessRequestOfNginx, answerNginx } from './nginx-dialect.ts';
import { refuseToEverybody } from '../policy/refused-to-everybody.ts';
import { PermitWithdrawn, requestPermit } from './permit.ts';
import { errorResponse, refusalAnswer, wantsPage, type Answer } from './refusal.ts';
import { roleRoutes } from './role-routes.ts';
import { liveSessionRoutes } from './live-session-routes.ts';
import { grantedCameras, sessionRoutes } from './session-routes.ts';
import { apiTokenRoutes } from './api-token-routes.ts';
import { innerUiRoutes, publicUiRoutes, uiPage } from './ui-routes.ts';
import { userRoutes } from './user-routes.ts';

/** The gate's own endpoints, the same on every listener. */
export function createGateway(
  dependencies: GatewayDependencies,
  { authorise, consider, settleWithdrawn }: Pick<Authoriser, 'authorise' | 'consider' | 'settleWithdrawn'>,
  decisions: DecisionLog,
) {
  const { inForce, logger, audit } = dependencies;
  const loginUrl = (env: GatewayBindings) => loginUrlOf(env, inForce());

  const app = new Hono<GatewayEnvironment>({
    // Routes see the path that the verdict was made for, not a second reading of the URI.
    getPath: (_, options) => (options as { env: GatewayBindings }).env.path,
  });

  const answerAuthRequest = async (env: GatewayBindings) =>
    answerNginx(await authorise(accessRequestOfNginx(env.incoming.rawHeaders, env.edge)), loginUrl(env));
  app.all('/api/authz/auth-request', (c, next) =>
    c.env.listener === 'forward-auth' ? answerAuthRequest(c.env) : next(),
  );
  app.all('/auth', async (c) => {
    if (c.env.listener === 'forward-auth') return answerAuthRequest(c.env);
    const decision = await authorise(accessRequestOfClient(c.env, inForce()));
    const { verdict } = decision;
    return verdict.kind === 'allow'
      ? answerNginx(decision, loginUrl(c.env))
      : toResponse(refusalAnswer(verdict, loginUrl(c.env), false, decision.id));
  });

  // Before anything is answered that nobody is asked for: health, the login, the files of the UI.
  app.use('*', async (c, next) => {
    const request = accessRequestOfClient(c.env, inForce());
    if (refuseToEverybody(request, inForce().rules.internalHosts) === undefined) return next();
    const { id, verdict } = await authorise(request);
    if (verdict.kind === 'allow') throw new AppError('forbidden');
    return toResponse(refusalAnswer(verdict, undefined, wantsPageOf(c), id));
  });

  // Nobody is asked who it is: the internal edge is admin, and a decision each time would only count itself.
  app.get('*', async (c, next) => {
    const { edge, path } = c.env;
    const found = edge === 'internal' ? await dependencies.monitoring(path) : undefined;
    return found === undefined ? next() : toResponse(found);
  });

  app.route('/', sessionRoutes(dependencies));
  app.route('/', publicUiRoutes(dependencies));

  app.use('*', async (c, next) => {
    // A body may come as slowly as its sender likes, and what permitted it may be gone by then: it is decided again, and whoever
    // is refused anyway is not waited for.
    const request = () => accessRequestOfClient(c.env, inForce());
    if (mayHaveBody(c) && (await consider(request())).judgement.verdict.kind === 'allow')
      c.set('body', await readBody(c.req.raw));
    const { id, verdict, session, setCookie } = await authorise(request());
    if (verdict.kind !== 'allow') {
      const navigatedTo = c.req.method === 'GET' ? c.env.incoming.url : undefined;
      return toResponse(refusalAnswer(verdict, loginUrl(c.env), wantsPageOf(c), id, navigatedTo));
    }
    c.set('allowed', verdict);
    c.set('session', session);
    c.set('permit', requestPermit(c.env, verdict, session, dependencies.current));
    c.set('decision', id);
    c.header('cache-control', 'no-store');
    c.header('x-postern-decision', id);
    // Through a front, the question about this very request has refreshed the session already.
    if (setCookie !== undefined && c.env.listener === 'client-facing') c.header('set-cookie', setCookie);
    return next();
  });

  app.get('/api/openapi.json', (c) =>
    c.body(dependencies.openapi, 200, { 'content-type': 'application/json' }),
  );
  app.route('/', accountRoutes(dependencies));
  app.route('/', innerUiRoutes(dependencies));
  app.route('/api/explain', explainRoutes(dependencies, consider, decisions));

  app.notFound((c) => {
    // The UI says so in its own words, and leads on.
    const shown = wantsPageOf(c) ? uiPage(dependencies, c.env.path, 404) : undefined;
    return shown ?? toResponse(errorResponse(new AppError('not_found'), wantsPageOf(c)));
  });
  app.onError(async (error, c) => {
    if (error instanceof PermitWithdrawn) {
      const id = settleWithdrawn(error);
      return toResponse(refusalAnswer(error.judgement.verdict, loginUrl(c.env), wantsPageOf(c), id));
    }
    if (error instanceof ValidationError) return c.json({ detail: error.detail }, 422);
    if (error instanceof AppError && error.code === 'too_many_requests' && c.var.isRecorded !== true) {
      const { address } = clientOf(c.env, inForce());
      await audit.record({ event: 'refused', address, object: c.env.path, reason: error.code });
    }
    if (!(error instanceof AppError)) logger.error({ err: error }, 'gateway failed');
    else if (error.cause !== undefined) logger.warn({ err: error, code: error.code }, 'request failed');
    return toResponse(errorResponse(error, wantsPageOf(c)));
  });
  return app;
}

function accountRoutes(dependencies: GatewayDependencies) {
  const { inForce } = dependencies;
  return new Hono<GatewayEnvironment>()
    .get('/api/profile', (c) => {
      const { subject, grant } = c.var.allowed;
      if (subject === undefined) throw new AppError('unauthenticated');
      const cameras = grantedCameras(inForce(), grant);
      return c.json({ username: subject.user, role: subject.role, allowed_cameras: cameras });
    })
    .get('/api/cameras', (c) => c.json(grantedCameras(inForce(), c.var.allowed.grant)))
    .route('/api/users', userRoutes(dependencies))
    .route('/api/roles', roleRoutes(dependencies))
    .route('/api/sessions', liveSessionRoutes(dependencies))
    .route('/api/tokens', apiTokenRoutes(dependencies))
    .route('/api/configuration', configurationRoutes(dependencies))
    .route('/api/audit', auditRoutes(dependencies));
}

/** What the UI calls, for its client; no code. */
export type SessionApi = ReturnType<typeof sessionRoutes>;
export type AccountApi = ReturnType<typeof accountRoutes>;
export type { AuditEventName, ToldRecord } from './audit-routes.ts';

function mayHaveBody({ req: { method } }: GatewayContext): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function wantsPageOf(c: GatewayContext): boolean {
  return wantsPage((name) => c.req.header(name));
}

function toResponse({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers });
}
