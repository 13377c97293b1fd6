import { Hono } from 'hono';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Authorization } from '../access/authorize.ts';
import type { CurrentRoles } from '../access/current-roles.ts';
import type { Clock } from '../clock.ts';
import { compressAnswers } from '../http/compress-answers.ts';
import { AppError, isStateLogged, type Answer } from '../errors.ts';
import { contextOf, clientOf, recipientOf } from '../http/fronts/client.ts';
import { errorResponse, refusalAnswer, type Known } from '../http/fronts/refusal.ts';
import type { Settings } from '../access/settings/settings.ts';
import type { RequestLog } from '../telemetry/request-log.ts';
import type { Monitoring } from '../telemetry/monitoring-answers.ts';
import type { WarnOnce } from '../telemetry/logger.ts';
import { readBody, ValidationError } from '../http/validation.ts';
import { byCurrentRoles } from './by-current-roles.ts';
import { isSwitchedOff } from '../policy/features.ts';
import { serve, type Mounted } from './endpoint.ts';
import { KeptRoutes } from './kept-routes.ts';
import { type OwnPaths, ownBase } from './own-paths.ts';
import { PermitWithdrawn, requestPermit, type CurrentRuntime } from './permit.ts';
import { redirectWithin } from './request.ts';
import type { ApiContext, ApiEnvironment, RequestFacts } from './environment.ts';
import { pages } from './ui/pages.ts';
import { page, uiPage, type UiDependencies } from './ui/ui-routes.ts';

/** The things that every request needs, whatever the endpoint. */
export interface ApiDependencies {
  readonly settings: Settings;
  readonly logger: RequestLog;
  readonly warnOnce: WarnOnce;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly clock: Clock;
  readonly monitoring: Monitoring;
  readonly ownPaths: Pick<OwnPaths, 'isOpen'>;
  /** The current runtime, which may be another one than a request began with. */
  readonly current: () => CurrentRuntime;
  readonly authorization: Pick<Authorization, 'authorize' | 'evaluate' | 'record'>;
  /** `undefined` if custom roles change only with the configuration. */
  readonly currentRoles?: CurrentRoles | undefined;
}

/** The endpoints of the core and of the features that are on. */
export interface MountedEndpoints {
  /** Answered before anyone is authorized. */
  readonly open: readonly Mounted[];
  readonly guarded: readonly Mounted[];
}

/** The gate's own endpoints, the same on every listener. */
export function createApi(dependencies: ApiDependencies, endpoints: MountedEndpoints, ui: UiDependencies) {
  const { settings, logger, audit, clock, monitoring, current, authorization, ownPaths } = dependencies;
  const { authorize, evaluate, record } = authorization;
  /** Redirects a page requested with a slash at its end to the one without. */
  const withoutSlash = (c: ApiContext) => {
    const path = c.env.path.slice(0, -1).split('/').map(encodeURIComponent).join('/');
    return redirectWithin(c, settings, path, 308);
  };
  const isThere = (path: string) => !isSwitchedOff(path, settings.features);
  const recipient = (c: ApiContext) => recipientOf(c.env, settings);

  const app = new Hono<ApiEnvironment>({
    // Hono's own choice builds a regular expression of all routes at the first request.
    router: new KeptRoutes(),
    // Routes see the path that the decision was made for, not a second reading of the URI.
    getPath: (_, options) => (options as { env: RequestFacts }).env.path,
  });

  if (dependencies.currentRoles !== undefined)
    app.use('*', byCurrentRoles(dependencies.currentRoles, current, settings, ownPaths));
  app.use('*', compressAnswers());

  // Answered without an identity: health, the login, the files of the UI.
  app.use('*', async (c, next) => {
    if (c.env.path === '/auth') return next();
    const request = contextOf(c.env, settings);
    if (request.denial === undefined) return next();
    const { id, decision } = await authorize(request);
    if (decision.outcome === 'allow') throw new AppError('forbidden');
    return toResponse(refusalAnswer(decision, { ...recipient(c), loginUrl: undefined }, id));
  });

  // Requests on the internal entry point are admin's: a decision for each would only count itself.
  app.get('*', async (c, next) => {
    const { entryPoint, path } = c.env;
    const found = entryPoint === 'internal' ? await monitoring(path) : undefined;
    return found === undefined ? next() : toResponse(found);
  });

  for (const mounted of endpoints.open) serve(app, mounted);
  for (const path of ['/login/', `${ownBase}/share/:id/`].filter(isThere)) app.get(path, withoutSlash);

  app.use('*', async (c, next) => {
    // A body may come slowly, and the permission may be withdrawn by then: the request is decided again afterwards. Requests
    // that are refused anyway do not wait for their body.
    const request = () => contextOf(c.env, settings);
    if (mayHaveBody(c) && (await evaluate(request())).decision.outcome === 'allow')
      c.set('body', await readBody(c.req.raw));
    const { id, decision, session, setCookie } = await authorize(request());
    if (decision.outcome !== 'allow') return toResponse(refusalAnswer(decision, recipient(c), id));
    c.set('allowed', decision);
    c.set('session', session);
    c.set('permit', requestPermit(c.env, { allowed: decision, session }, current, clock));
    c.set('decision', id);
    c.header('cache-control', 'no-store');
    c.header('x-postern-decision', id);
    if (setCookie !== undefined) c.header('set-cookie', setCookie);
    return next();
  });

  for (const mounted of endpoints.guarded) serve(app, mounted);
  for (const path of pages.map((name) => `${ownBase}/${name}`).filter(isThere)) {
    app.get(path, (c) => page(ui, c.env));
    if (path !== `${ownBase}/`) app.get(`${path}/`, withoutSlash);
  }
  for (const path of ['/', ownBase]) app.get(path, (c) => redirectWithin(c, settings, `${ownBase}/`, 303));

  app.notFound((c) => {
    // The UI explains the refusal itself, and links to the next step.
    const { reader } = recipient(c);
    const shown = reader && uiPage(ui, c.env, 404);
    return shown ?? toResponse(errorResponse(new AppError('not_found'), reader, knownOf(c)));
  });
  app.onError(async (error, c) => {
    if (error instanceof PermitWithdrawn) {
      const id = record(error.request, error.decision);
      return toResponse(refusalAnswer(error.decision, recipient(c), id));
    }
    if (error instanceof ValidationError) return c.json(error.body, 422);
    if (error instanceof AppError && error.code === 'too_many_requests' && c.var.isRecorded !== true) {
      const { address } = clientOf(c.env, settings);
      await audit.record({ event: 'refused', address, object: c.env.path, reason: error.code });
    }
    const { address } = clientOf(c.env, settings);
    // A client that leaves in the middle of its body is no failure.
    if (c.env.incoming.readableAborted)
      logger.info({ code: 'client_left', address }, 'the client left before its answer');
    else if (!(error instanceof AppError)) logger.error({ err: error, address }, 'the API failed');
    else if (error.cause !== undefined && !isStateLogged(error))
      logger.warn({ err: error, code: error.code, address }, 'request failed');
    return toResponse(errorResponse(error, recipient(c).reader, knownOf(c)));
  });
  return app;
}

export type Api = ReturnType<typeof createApi>;

function mayHaveBody({ req: { method } }: ApiContext): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** The decision of a permitted request; `undefined` if it was refused, or needed no permission. */
function knownOf(c: ApiContext): Known {
  const { allowed, decision } = c.var as Partial<ApiContext['var']>;
  return { identity: allowed?.identity, decision };
}

function toResponse({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers });
}
