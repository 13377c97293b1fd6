import { authorizationRequestOfClient, clientOf, loginUrlOf } from '../fronts/client.ts';
import { Hono } from 'hono';
import { AppError } from '../errors.ts';
import { readBody, ValidationError } from '../validation.ts';
import type { Authorization } from '../authorization/authorize.ts';
import type { DecisionLog } from '../authorization/decision-log.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { RequestFacts, ApiContext, ApiEnvironment } from './request-context.ts';
import { auditRoutes } from './audit.ts';
import { configurationRoutes } from './configuration.ts';
import { explainRoutes } from './explain.ts';
import { allowedLines } from '../fronts/front-answer.ts';
import { refuseToEverybody } from '../policy/refused-to-everybody.ts';
import { PermitWithdrawn, requestPermit } from './permit.ts';
import { errorResponse, refusalAnswer, wantsPage, type Answer } from '../fronts/refusal.ts';
import { roleRoutes } from './roles.ts';
import { activeSessionRoutes } from './sessions.ts';
import { grantedCameras, sessionRoutes } from './login.ts';
import { apiTokenRoutes } from './tokens.ts';
import { innerUiRoutes, publicUiRoutes, uiPage } from './ui/ui-routes.ts';
import { userRoutes } from './users.ts';

/** The gate's own endpoints, the same on every listener. */
export function createApi(
  dependencies: ApiDependencies,
  { authorize, evaluate, record }: Pick<Authorization, 'authorize' | 'evaluate' | 'record'>,
  decisions: DecisionLog,
) {
  const { settings, logger, audit } = dependencies;
  const loginUrl = (env: RequestFacts) => loginUrlOf(env, settings);

  const app = new Hono<ApiEnvironment>({
    // Routes see the path that the decision was made for, not a second reading of the URI.
    getPath: (_, options) => (options as { env: RequestFacts }).env.path,
  });

  // On a forward-auth listener a front has its answer before anything comes here.
  app.all('/auth', async (c) => {
    const result = await authorize(authorizationRequestOfClient(c.env, settings));
    const { id, decision } = result;
    if (decision.outcome !== 'allow') return toResponse(refusalAnswer(decision, loginUrl(c.env), false, id));
    const answer = new Headers();
    for (const [name, value] of allowedLines(result)) answer.append(name, value);
    return new Response(null, { headers: answer });
  });

  // Before anything is answered that nobody is asked for: health, the login, the files of the UI.
  app.use('*', async (c, next) => {
    const request = authorizationRequestOfClient(c.env, settings);
    if (refuseToEverybody(request, settings.rules.internalHosts) === undefined) return next();
    const { id, decision } = await authorize(request);
    if (decision.outcome === 'allow') throw new AppError('forbidden');
    return toResponse(refusalAnswer(decision, undefined, wantsPageOf(c), id));
  });

  // Nobody is asked who it is: the internal entry point is admin, and a decision each time would only count itself.
  app.get('*', async (c, next) => {
    const { entryPoint, path } = c.env;
    const found = entryPoint === 'internal' ? await dependencies.monitoring(path) : undefined;
    return found === undefined ? next() : toResponse(found);
  });

  app.route('/', sessionRoutes(dependencies));
  app.route('/', publicUiRoutes(dependencies));

  app.use('*', async (c, next) => {
    // A body may come as slowly as its sender likes, and what permitted it may be gone by then: it is decided again, and whoever
    // is refused anyway is not waited for.
    const request = () => authorizationRequestOfClient(c.env, settings);
    if (mayHaveBody(c) && (await evaluate(request())).decision.outcome === 'allow')
      c.set('body', await readBody(c.req.raw));
    const { id, decision, session, setCookie } = await authorize(request());
    if (decision.outcome !== 'allow') {
      const navigatedTo = c.req.method === 'GET' ? c.env.incoming.url : undefined;
      return toResponse(refusalAnswer(decision, loginUrl(c.env), wantsPageOf(c), id, navigatedTo));
    }
    c.set('allowed', decision);
    c.set('session', session);
    c.set('permit', requestPermit(c.env, decision, session, dependencies.current));
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
  app.route('/api/explain', explainRoutes(dependencies, evaluate, decisions));

  app.notFound((c) => {
    // The UI says so in its own words, and leads on.
    const shown = wantsPageOf(c) ? uiPage(dependencies, c.env.path, 404) : undefined;
    return shown ?? toResponse(errorResponse(new AppError('not_found'), wantsPageOf(c)));
  });
  app.onError(async (error, c) => {
    if (error instanceof PermitWithdrawn) {
      const id = record(error.request, error.decision);
      return toResponse(refusalAnswer(error.decision, loginUrl(c.env), wantsPageOf(c), id));
    }
    if (error instanceof ValidationError) return c.json({ detail: error.detail }, 422);
    if (error instanceof AppError && error.code === 'too_many_requests' && c.var.isRecorded !== true) {
      const { address } = clientOf(c.env, settings);
      await audit.record({ event: 'refused', address, object: c.env.path, reason: error.code });
    }
    if (!(error instanceof AppError)) logger.error({ err: error }, 'the API failed');
    else if (error.cause !== undefined) logger.warn({ err: error, code: error.code }, 'request failed');
    return toResponse(errorResponse(error, wantsPageOf(c)));
  });
  return app;
}

function accountRoutes(dependencies: ApiDependencies) {
  const { settings } = dependencies;
  return new Hono<ApiEnvironment>()
    .get('/api/profile', (c) => {
      const { identity, grant } = c.var.allowed;
      if (identity === undefined) throw new AppError('unauthenticated');
      const cameras = grantedCameras(settings, grant);
      return c.json({ username: identity.user, role: identity.role, allowed_cameras: cameras });
    })
    .get('/api/cameras', (c) => c.json(grantedCameras(settings, c.var.allowed.grant)))
    .route('/api/users', userRoutes(dependencies))
    .route('/api/roles', roleRoutes(dependencies))
    .route('/api/sessions', activeSessionRoutes(dependencies))
    .route('/api/tokens', apiTokenRoutes(dependencies))
    .route('/api/configuration', configurationRoutes(dependencies))
    .route('/api/audit', auditRoutes(dependencies));
}

/** What the UI calls, for its client; no code. */
export type SessionApi = ReturnType<typeof sessionRoutes>;
export type AccountApi = ReturnType<typeof accountRoutes>;
export type { AuditEventName, ToldRecord } from './audit.ts';

function mayHaveBody({ req: { method } }: ApiContext): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function wantsPageOf(c: ApiContext): boolean {
  return wantsPage((name) => c.req.header(name));
}

function toResponse({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers });
}
