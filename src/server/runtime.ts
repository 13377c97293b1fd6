import { type Settings, settingsOf } from '../settings/settings.ts';
import { addressOf } from '../fronts/client.ts';
import type { EntryPoint } from '../policy/authorization-request.ts';
import type { RequestListener } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { addressKey } from '../accounts/failure-limit.ts';
import { hasSampleDatabase, servesSample } from '../events/sample.ts';
import { createLogin } from '../accounts/login.ts';
import { customRolesInFile, customRolesInStore } from '../accounts/custom-roles.ts';
import { createRolesFile } from '../accounts/roles-file.ts';
import type { Configuration, Limits } from '../config/configuration.ts';
import { fitLimits } from '../config/open-files.ts';
import { isOwnCookie } from '../own-cookies.ts';
import { passedHeaders, strippedHeaders } from '../reverse-proxy/upstream-headers.ts';
import {
  accountStrategies,
  composeAuthorization,
  type PipelineDependencies,
} from './compose-authorization.ts';
import { authorizeWith, composeAssertions, type Assertions } from './compose-assertions.ts';
import { composeReverseProxies, type ReverseProxies } from './compose-reverse-proxies.ts';
import { composeSignOn, type ComposedSignOn } from './compose-sign-on.ts';
import { composeShares, type ComposedShares } from './compose-shares.ts';
import { composeSecondFactor } from './compose-second-factor.ts';
import type { RuntimeFiles } from './gate-files.ts';
import { withRoles } from '../accounts/role-definitions.ts';
import { rolesOfRuntime, type RuntimeRoles } from './runtime-roles.ts';
import type { Services } from './services.ts';
import type { SharedServices } from './shared-services.ts';
import { authenticateBy } from '../authentication/authenticate.ts';
import { createLastSeen } from '../authorization/last-seen.ts';
import { openapiDocument } from '../api/openapi/openapi-document.ts';
import { operations } from '../api/openapi/operations.ts';
import { sessionCookieHeader } from '../api/session-cookie-header.ts';
import { frontProof, type FrontProof } from '../fronts/front-trust.ts';
import { createFrontListener } from '../fronts/front-listener.ts';
import { createApi } from '../api/api.ts';
import type { ApiServices } from '../api/routes.ts';
import type { Authorization } from '../authorization/authorize.ts';
import { isBelowOwnBase } from '../api/own-base.ts';
import { ownRules } from '../api/own-paths.ts';
import type { CurrentRuntime } from '../api/permit.ts';
import type { Recorder } from '../recorder/connect-recorder.ts';
import { recorderAddressOf } from '../recorder/recorder-address.ts';
import { recorderAt, upstreamAt } from '../recorder/recorder-at.ts';
import { recorderRolesOf } from '../recorder/recorder-roles.ts';
import { namesOpenPort } from '../config/resolve-recorder.ts';
import { listFilter } from '../recorder/list-filter.ts';
import { changedAnswers } from '../recorder/changed-answer.ts';
import { createSealing, type Sealing } from '../sealing/sealing.ts';
import { sessionCookie } from '../sessions/session-cookie.ts';
import { createActiveSessions } from '../sessions/active-sessions.ts';

/** What a runtime needs of the app that makes it. */
export interface RuntimeContext {
  /** `unix:/path` or `host:port` of the events app. */
  readonly events: string;
  /** Checks a text as config.yml. @returns what applies it. @throws ConfigurationError */
  readonly check: (text: string) => () => void;
  /** The runtime of this moment, which may be another one. */
  readonly current: () => Runtime;
  /** When the certificate of the gate ends, in milliseconds since the epoch; undefined without one. */
  readonly certificateEnds: () => number | undefined;
}

/** Everything that is made of one configuration and the custom roles of a moment. */
export interface Runtime
  extends CurrentRuntime, ReverseProxies, Pick<Authorization, 'evaluate' | 'identify'> {
  /** Undefined: they are all in the configuration. */
  readonly currentRoles: RuntimeRoles['current'];
  readonly frontProof: FrontProof;
  readonly limits: Limits;
  /** Connections that all clients together may have. */
  readonly clientConnections: number;
  /** Who counts as one client by the address of a connection; undefined: a proxy, with many of them behind it. */
  connectionOwner(address: string): string | undefined;
  /** Answers on the forward-auth listener of an entry point. */
  authorizationRequests(entryPoint: EntryPoint): RequestListener;
}

/** @param declared what config.yml says, to which the roles of a shared store come */
export function createRuntime(
  declared: Configuration,
  { jwtSecret, storeKey, recorderCertificate }: RuntimeFiles,
  services: Services,
  context: RuntimeContext,
): Runtime {
  const { events, current } = context;
  const { shared, roleVerification, recorderConfiguration, roleReading } = services;
  const { logger } = shared;
  const configuration = withRoles(declared, roleReading?.known());
  const roles = rolesOfRuntime(declared.auth, roleReading, current, shared.warnOnce);
  const { recorder } = configuration;
  const settings = settingsOf(
    configuration,
    ownRules,
    services.database,
    listFilter(configuration, roleVerification),
    recorderConfiguration.configuration,
    shared.clock,
    () => mayTakeEveryoneForAdmin(configuration.upstream, recorderConfiguration.knowledge()),
  );
  const dependencies = pipelineDependencies(
    configuration,
    { jwtSecret, storeKey },
    settings,
    roles,
    services,
  );
  const sharing = composeShares(configuration, dependencies.sealing, services, settings, async () => {
    if (roles.current?.areCurrent() === false) await roles.current.renew();
    return current().settings;
  });
  const authorization = composeAuthorization({ ...dependencies, shareLink: sharing.shareLink });
  const transformers = [changedAnswers];
  const authorize = authorizeWith(dependencies.assertions, authorization, transformers, shared);
  const { limits, clientConnections } = fitLimits(configuration.limits, services.openFiles);
  if (!isDeepStrictEqual(limits, configuration.limits)) {
    const { connectionsPerClient, upstreamConnections } = limits;
    logger.warn(
      { openFiles: services.openFiles, connectionsPerClient, upstreamConnections },
      'the process may have few files open (ulimit -n): limits.connections_per_client and limits.upstream_connections are lower',
    );
  }
  const asked = recorderAt(configuration, recorderCertificate);
  const upstream = services.upstream(asked?.address ?? upstreamAt(events), limits.upstreamConnections);
  const hasRecorder = configuration.upstream !== undefined;
  const api = createApi(
    { ...shared, settings, current, authorization, currentRoles: roles.current },
    {
      ...apiServices(configuration, dependencies, authorization, roles, services, context, asked),
      ...sharing,
    },
  );
  const stripped = strippedHeaders(configuration.proxy.trustedHeaders);
  services.assertOwnBy(dependencies.assertions?.assert);
  recorderConfiguration.read(asked);
  roleVerification.verify({
    recorder: asked,
    roles: configuration.auth.roles,
    interval: recorder.checkInterval,
    management: recorder.manageRoles ? services.roleManagement : undefined,
  });

  const proxies = composeReverseProxies({
    ...shared,
    settings,
    authorize,
    evaluate: authorization.evaluate,
    api,
    current,
    upstream,
    upstreamSecret: asked?.authSecret,
    transformers,
    strippedHeaders: stripped,
    headers: passedHeaders(isOwnCookie(configuration.auth.cookieName)),
    hasRecorder,
  });

  return {
    settings,
    currentRoles: roles.current,
    renewRolesIn: roleReading?.renewIn,
    evaluate: authorization.evaluate,
    evaluateIn: authorization.evaluateIn,
    identify: authorization.identify,
    answer: (request, facts) => api.fetch(request, facts),
    frontProof: frontProof(configuration.fronts.trusted, configuration.fronts.secret),
    limits,
    clientConnections,
    connectionOwner: (address) => (settings.isTrustedProxy(address) ? undefined : addressKey(address)),
    ...proxies,
    authorizationRequests: (entryPoint) => {
      const facts = { entryPoint, tls: false, listener: 'forward-auth' } as const;
      return createFrontListener(proxies.own(facts), {
        entryPoint,
        settings,
        authorize,
        identify: authorization.identify,
        strippedHeaders: stripped,
        isOwnPath: isBelowOwnBase,
        warnOnce: shared.warnOnce,
      });
    },
  };
}

type RequestDependencies = Omit<PipelineDependencies, 'shareLink'> &
  SharedServices &
  ComposedSignOn & { readonly sealing: Sealing; readonly assertions: Assertions | undefined };

/** What the pipeline of one configuration takes, and its endpoints. */
function pipelineDependencies(
  configuration: Configuration,
  { jwtSecret, storeKey }: Pick<RuntimeFiles, 'jwtSecret' | 'storeKey'>,
  settings: Settings,
  { current: currentRoles }: RuntimeRoles,
  services: Services,
): RequestDependencies {
  const { shared, revocations, sessionRegistry, sessions, decisions } = services;
  const sealing = createSealing(storeKey, shared.clock);
  const ownSessions = sessions(configuration, jwtSecret, revocations);
  return {
    ...shared,
    settings,
    currentRoles,
    decisions,
    sealing,
    assertions: composeAssertions(configuration, sealing, services),
    ...composeSignOn(configuration, sealing, ownSessions, services),
    sessions: ownSessions,
    cookie: sessionCookie(configuration.auth.cookieName),
    lastSeen: createLastSeen(sessionRegistry, (request) => addressOf(request, settings), shared.clock),
  };
}

/** What the endpoints take together. */
function apiServices(
  configuration: Configuration,
  dependencies: RequestDependencies,
  { authorize, evaluate, record }: Authorization,
  { definitions: roleDefinitions, current: currentRoles }: RuntimeRoles,
  services: Services,
  { check, current, certificateEnds }: RuntimeContext,
  asked: Recorder | undefined,
): Omit<ApiServices, keyof ComposedShares> {
  const { auth, upstream } = configuration;
  const { revocations, sessionRegistry, failureLimit, change, directory, roleReading } = services;
  const { settings, sessions, cookie, lastSeen, users, hasher, logger } = dependencies;
  return {
    ...dependencies,
    ...composeSecondFactor(configuration, dependencies.sealing, services),
    assertionKeys: dependencies.assertions?.published,
    provider: auth.oidc,
    authorize,
    evaluate,
    recordDecision: record,
    current,
    authenticateAccount: authenticateBy(accountStrategies(dependencies, settings)),
    cookieHeader: sessionCookieHeader(cookie, lastSeen, settings),
    login: createLogin({
      users,
      hasher,
      failureLimit: failureLimit(auth.failedLoginRateLimit),
      onError: (error, message) => logger.warn({ err: error }, message),
    }),
    activeSessions: createActiveSessions({ registry: sessionRegistry, revocations, sessions, users }),
    customRoles:
      roleReading === undefined
        ? customRolesInFile(change, users, createRolesFile(directory, check))
        : customRolesInStore({
            change,
            users,
            definitions: roleDefinitions,
            reading: roleReading,
            cameras: configuration.cameras,
          }),
    roleDefinitions,
    requireCurrentRoles: async () => {
      if (currentRoles?.areCurrent() === false) await currentRoles.renew();
    },
    recorderRoles: recorderRolesOf(configuration, services.roleManagement, services.roleVerification),
    openapi,
    hasRecorder: upstream !== undefined,
    certificateEnds,
    recorderAddress: recorderAddressOf(configuration, asked, change, directory, check),
    hasSampleDatabase: hasSampleDatabase(configuration),
    servesSample: servesSample(configuration),
  };
}

/** Made when somebody asks for it first. */
let openapiText: string | undefined;
const openapi = () => (openapiText ??= `${JSON.stringify(openapiDocument(operations), null, 2)}\n`);

/** Until the recorder at `upstream` has answered, it may. */
function mayTakeEveryoneForAdmin(
  upstream: string | undefined,
  known: { readonly isForEverybody: boolean | undefined } | undefined,
): boolean {
  return upstream !== undefined && (namesOpenPort(upstream) || known?.isForEverybody !== false);
}
