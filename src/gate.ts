import type { RequestListener } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { addressKey } from './accounts/failure-limit.ts';
import { createLogin } from './accounts/login.ts';
import { createCustomRoleChanges } from './accounts/custom-roles.ts';
import { createRolesFile } from './accounts/roles-file.ts';
import type { Configuration, Limits } from './config/configuration.ts';
import { fitLimits } from './config/open-files.ts';
import type { FrontDependencies } from './edge/front.ts';
import { strippedHeaders } from './edge/upstream-headers.ts';
import type { UpstreamAddress } from './edge/upstream-pool.ts';
import type { Foundation } from './foundation.ts';
import { createAuthoriser } from './gateway/authoriser.ts';
import type { GatewayDependencies, InForce } from './gateway/dependencies.ts';
import { createFastPath } from './gateway/fast-path.ts';
import { frontProof, type FrontProof } from './gateway/front-proof.ts';
import { createFrontQuestions } from './gateway/front-questions.ts';
import { accessRequestOfClient, clientOf, loginUrlOf } from './gateway/gateway-environment.ts';
import { createGateway } from './gateway/gateway.ts';
import { identityOf } from './gateway/identity-of.ts';
import { inForceOf } from './gateway/in-force.ts';
import { gatewayListener } from './gateway/listener.ts';
import { isOwnPath } from './gateway/own-paths.ts';
import type { CurrentGate } from './gateway/permit.ts';
import { asksForPage, errorResponse, refusalAnswer } from './gateway/refusal.ts';
import { refuseToEverybody } from './policy/refused-to-everybody.ts';
import type { Edge } from './policy/verdict.ts';
import { listFilter } from './recorder/list-filter.ts';
import { sessionCookie } from './sessions/session-cookie.ts';
import { createLiveSessions } from './sessions/live-sessions.ts';
import { createSessionTokens } from './sessions/session-token.ts';
import { createSessions } from './sessions/sessions.ts';

/** What a gate needs of the app around it. */
export interface Surroundings {
  /** `unix:/path` or `host:port` of the events app. */
  readonly events: string;
  /** Checks a text as config.yml. @returns what puts it in force. @throws ConfigurationError */
  readonly check: (text: string) => () => void;
  /** The gate that is in force at this moment. */
  readonly current: () => CurrentGate;
}

/** What stands in files beside the configuration. */
export interface GateFiles {
  readonly jwtSecret: string;
  /** PEM. */
  readonly recorderCertificate: string | undefined;
}

/** Everything that is made of one configuration. */
export interface Gate extends CurrentGate {
  readonly frontProof: FrontProof;
  readonly limits: Limits;
  /** Connections that all clients together may have. */
  readonly clientConnections: number;
  /** Who counts as one client by the address of a connection; undefined: a proxy, with many of them behind it. */
  connectionOwner(address: string): string | undefined;
  /** What the embedded front of an edge needs. */
  front(edge: Edge, tls: boolean): FrontDependencies;
  /** Answers on the forward-auth listener of an edge. */
  questions(edge: Edge): RequestListener;
}

export function createGate(
  configuration: Configuration,
  { jwtSecret, recorderCertificate }: GateFiles,
  foundation: Foundation,
  { events, check, current }: Surroundings,
): Gate {
  const { decisions, lasting, roleVerification } = foundation;
  const { logger } = lasting;
  const { recorder } = configuration;
  const inForce = inForceOf(configuration, foundation.database, listFilter(configuration, roleVerification));
  const dependencies = dependenciesOf(configuration, jwtSecret, inForce, foundation, { check, current });
  const { limits, clientConnections } = fitLimits(configuration.limits, foundation.openFiles);
  if (!isDeepStrictEqual(limits, configuration.limits)) {
    const { connectionsPerClient, upstreamConnections } = limits;
    logger.warn(
      { openFiles: foundation.openFiles, connectionsPerClient, upstreamConnections },
      'the process may have few files open (ulimit -n): limits.connections_per_client and limits.upstream_connections are lower',
    );
  }
  const address = upstreamAddress(configuration, recorderCertificate);
  const upstream = foundation.upstream(address ?? addressOf(events), limits.upstreamConnections);
  const authoriser = createAuthoriser(dependencies, decisions);
  const gateway = createGateway(dependencies, authoriser, decisions);
  const stripped = strippedHeaders(configuration.proxy.trustedHeaders);
  roleVerification.verify({
    recorder: address && { address, authSecret: recorder.authSecret },
    roles: configuration.auth.roles,
    interval: recorder.checkInterval,
  });

  return {
    inForce,
    reconsider: authoriser.reconsider,
    frontProof: frontProof(configuration.fronts.trusted, configuration.fronts.secret),
    limits,
    clientConnections,
    connectionOwner: (address) => (inForce.isTrustedProxy(address) ? undefined : addressKey(address)),
    front: (edge, tls) => {
      const facts = { edge, tls, listener: 'client-facing' } as const;
      return {
        logger,
        authorise: authoriser.authorise,
        isRefusedToEverybody: (request) =>
          refuseToEverybody(request, inForce.rules.internalHosts) !== undefined,
        upstream,
        clientOf: (incoming) => addressKey(clientOf({ incoming, ...facts }, inForce).address),
        isOwnPath: (path) => isOwnPath(path, dependencies.hasSharedPages, edge),
        identityOf,
        secure: tls,
        basePath: () => inForce.rules.basePath,
        prefixOf: (incoming) => clientOf({ incoming, ...facts }, inForce).prefix,
        accessRequest: (incoming) => accessRequestOfClient({ incoming, ...facts }, inForce),
        own: gatewayListener(gateway, facts, dependencies),
        refusalAnswer: (refused, incoming, decision) =>
          refusalAnswer(
            refused,
            loginUrlOf({ incoming, ...facts }, inForce),
            asksForPage(incoming),
            decision,
            incoming.method === 'GET' ? incoming.url : undefined,
          ),
        errorAnswer: (error, request) => errorResponse(error, asksForPage(request)),
        strippedHeaders: stripped,
        upstreamSecret: address && recorder.authSecret,
        isTrustedPeer: (address) => inForce.isTrustedProxy(address),
      };
    },
    questions: (edge) => {
      const own = gatewayListener(gateway, { edge, tls: false, listener: 'forward-auth' }, dependencies);
      const questionsOfNginx = createFastPath(own, {
        edge,
        dependencies,
        authoriser,
        storeVersion: foundation.storeVersion,
        bytes: configuration.cache.verdicts,
      });
      return createFrontQuestions(questionsOfNginx, {
        edge,
        dependencies,
        authorise: authoriser.authorise,
        strippedHeaders: stripped,
      });
    },
  };
}

function dependenciesOf(
  configuration: Configuration,
  jwtSecret: string,
  inForce: InForce,
  foundation: Foundation,
  { check, current }: Pick<Surroundings, 'check' | 'current'>,
): GatewayDependencies {
  const { lasting, revocations, sessionRegistry, storeVersion } = foundation;
  const { logger, now, users, hasher } = lasting;
  const { auth, cache, upstream } = configuration;
  const sessions = createSessions({
    tokens: createSessionTokens(jwtSecret, foundation.now),
    revocations,
    findUser: users.find,
    sessionLength: auth.sessionLength,
    refreshTime: auth.refreshTime,
    now,
    storeVersion,
    rememberedBytes: cache.sessions,
    tally: lasting.tallies.caches.sessions,
  });
  return {
    ...lasting,
    inForce: () => inForce,
    current,
    hasSharedPages: upstream === undefined,
    cookie: sessionCookie(auth.cookieName),
    login: createLogin({
      users,
      hasher,
      failureLimit: foundation.failureLimit(auth.failedLoginRateLimit),
      onError: (error, message) => logger.warn({ err: error }, message),
    }),
    sessions,
    liveSessions: createLiveSessions({ registry: sessionRegistry, revocations, sessions, users }),
    customRoles: createCustomRoleChanges(
      foundation.change,
      users,
      createRolesFile(foundation.directory, check),
    ),
  };
}

/** @returns undefined without a recorder */
function upstreamAddress(
  { upstream }: Configuration,
  certificate: string | undefined,
): UpstreamAddress | undefined {
  if (upstream === undefined) return undefined;
  if (upstream.startsWith('unix:')) return addressOf(upstream);
  return { origin: upstream, certificate };
}

/** @param address `unix:/path` or `host:port` */
function addressOf(address: string): UpstreamAddress {
  return address.startsWith('unix:')
    ? { socketPath: address.slice('unix:'.length) }
    : { origin: `http://${address}` };
}
