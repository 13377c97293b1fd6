import { type Settings, settingsOf } from '../settings/settings.ts';
import { authorizationRequestOfClient, clientOf, loginUrlOf, addressOf } from '../fronts/client.ts';
import type { EntryPoint } from '../policy/authorization-request.ts';
import type { RequestListener } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { addressKey } from '../accounts/failure-limit.ts';
import { createLogin } from '../accounts/login.ts';
import { createCustomRoleChanges } from '../accounts/custom-roles.ts';
import { createRolesFile } from '../accounts/roles-file.ts';
import type { Configuration, Limits } from '../config/configuration.ts';
import { fitLimits } from '../config/open-files.ts';
import type { ReverseProxyDependencies } from '../reverse-proxy/reverse-proxy.ts';
import { strippedHeaders } from '../reverse-proxy/upstream-headers.ts';
import type { UpstreamAddress } from '../reverse-proxy/upstream-pool.ts';
import { accountStrategies, composeAuthorization } from './compose-authorization.ts';
import type { Services } from './services.ts';
import { authenticateBy } from '../authentication/authenticate.ts';
import { createLastSeen } from '../authorization/last-seen.ts';
import type { ApiDependencies } from '../api/dependencies.ts';
import { frontProof, type FrontProof } from '../fronts/front-trust.ts';
import { createFrontListener } from '../fronts/front-listener.ts';
import { createApi } from '../api/api.ts';
import { identityOf } from '../fronts/identity-of.ts';
import { apiListener } from '../api/listener.ts';
import { isOwnPath } from '../api/own-paths.ts';
import type { CurrentRuntime } from '../api/permit.ts';
import { asksForPage, errorResponse, refusalAnswer } from '../fronts/refusal.ts';
import { refuseToEverybody } from '../policy/refused-to-everybody.ts';
import { listFilter } from '../recorder/list-filter.ts';
import { sessionCookie } from '../sessions/session-cookie.ts';
import { createActiveSessions } from '../sessions/active-sessions.ts';
import { createSessionTokens } from '../sessions/session-token.ts';
import { createSessions } from '../sessions/sessions.ts';

/** What a gate needs of the app around it. */
export interface Surroundings {
  /** `unix:/path` or `host:port` of the events app. */
  readonly events: string;
  /** Checks a text as config.yml. @returns what applies it. @throws ConfigurationError */
  readonly check: (text: string) => () => void;
  /** The current gate. */
  readonly current: () => CurrentRuntime;
}

/** What stands in files beside the configuration. */
export interface RuntimeFiles {
  readonly jwtSecret: string;
  /** PEM. */
  readonly recorderCertificate: string | undefined;
}

/** Everything that is made of one configuration. */
export interface Runtime extends CurrentRuntime {
  readonly frontProof: FrontProof;
  readonly limits: Limits;
  /** Connections that all clients together may have. */
  readonly clientConnections: number;
  /** Who counts as one client by the address of a connection; undefined: a proxy, with many of them behind it. */
  connectionOwner(address: string): string | undefined;
  /** What the embedded front of an entry point needs. */
  front(entryPoint: EntryPoint, tls: boolean): ReverseProxyDependencies;
  /** Answers on the forward-auth listener of an entry point. */
  authorizationRequests(entryPoint: EntryPoint): RequestListener;
}

export function createRuntime(
  configuration: Configuration,
  { jwtSecret, recorderCertificate }: RuntimeFiles,
  services: Services,
  { events, check, current }: Surroundings,
): Runtime {
  const { decisions, shared, roleVerification } = services;
  const { logger } = shared;
  const { recorder } = configuration;
  const settings = settingsOf(configuration, services.database, listFilter(configuration, roleVerification));
  const dependencies = dependenciesOf(configuration, jwtSecret, settings, services, { check, current });
  const { limits, clientConnections } = fitLimits(configuration.limits, services.openFiles);
  if (!isDeepStrictEqual(limits, configuration.limits)) {
    const { connectionsPerClient, upstreamConnections } = limits;
    logger.warn(
      { openFiles: services.openFiles, connectionsPerClient, upstreamConnections },
      'the process may have few files open (ulimit -n): limits.connections_per_client and limits.upstream_connections are lower',
    );
  }
  const address = upstreamAddress(configuration, recorderCertificate);
  const upstream = services.upstream(address ?? upstreamOf(events), limits.upstreamConnections);
  const authorization = composeAuthorization(dependencies, decisions);
  const api = createApi(dependencies, authorization, decisions);
  const stripped = strippedHeaders(configuration.proxy.trustedHeaders);
  roleVerification.verify({
    recorder: address && { address, authSecret: recorder.authSecret },
    roles: configuration.auth.roles,
    interval: recorder.checkInterval,
  });

  return {
    settings,
    evaluateIn: authorization.evaluateIn,
    frontProof: frontProof(configuration.fronts.trusted, configuration.fronts.secret),
    limits,
    clientConnections,
    connectionOwner: (address) => (settings.isTrustedProxy(address) ? undefined : addressKey(address)),
    front: (entryPoint, tls) => {
      const facts = { entryPoint, tls, listener: 'client-facing' } as const;
      return {
        logger,
        authorize: authorization.authorize,
        isRefusedToEverybody: (request) =>
          refuseToEverybody(request, settings.rules.internalHosts) !== undefined,
        upstream,
        clientOf: (incoming) => addressKey(clientOf({ incoming, ...facts }, settings).address),
        isOwnPath: (path) => isOwnPath(path, dependencies.hasSharedPages, entryPoint),
        identityOf,
        secure: tls,
        basePath: () => settings.rules.basePath,
        prefixOf: (incoming) => clientOf({ incoming, ...facts }, settings).prefix,
        authorizationRequest: (incoming) => authorizationRequestOfClient({ incoming, ...facts }, settings),
        own: apiListener(api, facts, dependencies),
        refusalAnswer: (refused, incoming, decision) =>
          refusalAnswer(
            refused,
            loginUrlOf({ incoming, ...facts }, settings),
            asksForPage(incoming),
            decision,
            incoming.method === 'GET' ? incoming.url : undefined,
          ),
        errorAnswer: (error, request) => errorResponse(error, asksForPage(request)),
        strippedHeaders: stripped,
        upstreamSecret: address && recorder.authSecret,
        isTrustedPeer: (address) => settings.isTrustedProxy(address),
      };
    },
    authorizationRequests: (entryPoint) => {
      const own = apiListener(api, { entryPoint, tls: false, listener: 'forward-auth' }, dependencies);
      return createFrontListener(own, {
        entryPoint,
        settings,
        authorize: authorization.authorize,
        strippedHeaders: stripped,
      });
    },
  };
}

function dependenciesOf(
  configuration: Configuration,
  jwtSecret: string,
  settings: Settings,
  services: Services,
  { check, current }: Pick<Surroundings, 'check' | 'current'>,
): ApiDependencies {
  const { shared, revocations, sessionRegistry, storeVersion } = services;
  const { logger, clock, users, hasher } = shared;
  const { auth, cache, upstream } = configuration;
  const sessions = createSessions({
    tokens: createSessionTokens(jwtSecret, clock),
    revocations,
    findUser: users.find,
    sessionLength: auth.sessionLength,
    refreshTime: auth.refreshTime,
    clock,
    storeVersion,
    rememberedBytes: cache.sessions,
    tally: shared.tallies.caches.sessions,
  });
  const cookie = sessionCookie(auth.cookieName);
  return {
    ...shared,
    settings,
    current,
    authenticateAccount: authenticateBy(
      accountStrategies({ apiTokens: shared.apiTokens, sessions, cookie }, settings),
    ),
    lastSeen: createLastSeen(sessionRegistry, (request) => addressOf(request, settings), clock),
    hasSharedPages: upstream === undefined,
    cookie,
    login: createLogin({
      users,
      hasher,
      failureLimit: services.failureLimit(auth.failedLoginRateLimit),
      onError: (error, message) => logger.warn({ err: error }, message),
    }),
    sessions,
    activeSessions: createActiveSessions({ registry: sessionRegistry, revocations, sessions, users }),
    customRoles: createCustomRoleChanges(services.change, users, createRolesFile(services.directory, check)),
  };
}

/** @returns undefined without a recorder */
function upstreamAddress(
  { upstream }: Configuration,
  certificate: string | undefined,
): UpstreamAddress | undefined {
  if (upstream === undefined) return undefined;
  if (upstream.startsWith('unix:')) return upstreamOf(upstream);
  return { origin: upstream, certificate };
}

/** @param address `unix:/path` or `host:port` */
function upstreamOf(address: string): UpstreamAddress {
  return address.startsWith('unix:')
    ? { socketPath: address.slice('unix:'.length) }
    : { origin: `http://${address}` };
}
