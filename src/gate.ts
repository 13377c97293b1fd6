import type { RequestListener } from 'node:http';
import type { ApiTokenUses } from './accounts/api-token-uses.ts';
import type { ApiTokens } from './accounts/api-tokens.ts';
import type { FailureLimit } from './accounts/failure-limit.ts';
import type { ChangeLimit } from './accounts/change-limit.ts';
import { createLogin } from './accounts/login.ts';
import type { PasswordHasher } from './accounts/password-hash.ts';
import { createRolesFile } from './accounts/roles-file.ts';
import type { Users } from './accounts/users.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { createAuditRecords } from './audit/audit-query.ts';
import type { Configuration } from './config/configuration.ts';
import type { FrontDependencies } from './edge/front.ts';
import { strippedHeaders } from './edge/upstream-headers.ts';
import type { Upstream, UpstreamAddress } from './edge/upstream.ts';
import type { RecorderDatabase } from './events/recorder-database.ts';
import { createAuthoriser } from './gateway/authoriser.ts';
import type { DecisionLog } from './gateway/decision-log.ts';
import type { About, GatewayDependencies, InForce } from './gateway/dependencies.ts';
import { createFastPath } from './gateway/fast-path.ts';
import { frontProof, type FrontProof } from './gateway/front-proof.ts';
import { createFrontQuestions } from './gateway/front-questions.ts';
import { accessRequestOfClient, clientOf, loginUrlOf } from './gateway/gateway-environment.ts';
import { createGateway } from './gateway/gateway.ts';
import { identityOf } from './gateway/identity-of.ts';
import { inForceOf } from './gateway/in-force.ts';
import { gatewayListener } from './gateway/listener.ts';
import { isOwnPath } from './gateway/own-paths.ts';
import { asksForPage, errorResponse, refusalAnswer } from './gateway/refusal.ts';
import type { Edge } from './policy/verdict.ts';
import type { Revocations } from './sessions/revocations.ts';
import { sessionCookie } from './sessions/session-cookie.ts';
import { createLiveSessions } from './sessions/live-sessions.ts';
import type { SessionRegistry } from './sessions/session-registry.ts';
import { createSessionTokens } from './sessions/session-token.ts';
import { createSessions } from './sessions/sessions.ts';
import type { Activity } from './store/store.ts';
import type { Logger } from './telemetry/logger.ts';
import type { Tallies } from './telemetry/tallies.ts';
import type { Monitoring } from './telemetry/monitoring-answers.ts';
import type { UiFiles } from './ui-files.ts';

/** What stays the same when the configuration changes. */
export interface Foundation {
  readonly logger: Logger;
  readonly directory: string;
  readonly now: () => Date;
  readonly users: Users;
  readonly apiTokens: ApiTokens;
  readonly apiTokenUses: ApiTokenUses;
  readonly hasher: PasswordHasher;
  readonly revocations: Revocations;
  readonly failureLimit: (rules: string | undefined) => FailureLimit;
  readonly changeLimit: ChangeLimit;
  readonly upstream: (address: UpstreamAddress) => Upstream;
  readonly decisions: DecisionLog;
  readonly activity: Activity;
  readonly sessionRegistry: SessionRegistry;
  readonly audit: AuditLog;
  readonly database: RecorderDatabase;
  readonly storeVersion: () => number;
  readonly tallies: Tallies;
  readonly monitoring: Monitoring;
  readonly about: About;
  readonly ui: UiFiles | undefined;
  /** The OpenAPI document, as text. */
  readonly openapi: string;
  /** `unix:/path` or `host:port` of the embedded events app. */
  readonly events: string;
  /** Checks a text as config.yml. @returns what puts it in force. @throws ConfigurationError */
  readonly check: (text: string) => () => void;
}

/** Everything that is made of one configuration. */
export interface Gate {
  readonly inForce: InForce;
  readonly frontProof: FrontProof;
  /** What the embedded front of an edge needs. */
  front(edge: Edge, tls: boolean): FrontDependencies;
  /** Answers on the forward-auth listener of an edge. */
  questions(edge: Edge): RequestListener;
}

export function createGate(configuration: Configuration, jwtSecret: string, foundation: Foundation): Gate {
  const { logger, decisions, events } = foundation;
  const now = () => foundation.now().getTime() / 1000;
  const inForce = inForceOf(configuration, foundation.database);
  const dependencies = dependenciesOf(configuration, jwtSecret, inForce, foundation);
  const upstream = foundation.upstream(upstreamAddress(configuration, events));
  const authoriser = createAuthoriser(dependencies, decisions, now);
  const gateway = createGateway(dependencies, authoriser, decisions);
  const stripped = strippedHeaders(configuration.proxy.trustedHeaders);

  return {
    inForce,
    frontProof: frontProof(configuration.fronts.trusted, configuration.fronts.secret),
    front: (edge, tls) => {
      const facts = { edge, tls, listener: 'client-facing' } as const;
      return {
        logger,
        authorise: authoriser.authorise,
        upstream,
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
        now,
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
): GatewayDependencies {
  const { logger, directory, users, hasher, revocations, failureLimit, storeVersion, ui } = foundation;
  const { sessionRegistry, tallies, monitoring, about, openapi } = foundation;
  const now = () => foundation.now().getTime() / 1000;
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
    tally: tallies.caches.sessions,
  });
  return {
    ui,
    tallies,
    monitoring,
    about,
    openapi,
    hasSharedPages: upstream === undefined,
    logger,
    users,
    apiTokens: foundation.apiTokens,
    apiTokenUses: foundation.apiTokenUses,
    hasher,
    inForce: () => inForce,
    cookie: sessionCookie(auth.cookieName),
    login: createLogin({
      users,
      hasher,
      failureLimit: failureLimit(auth.failedLoginRateLimit),
      onError: (error, message) => logger.warn({ err: error }, message),
    }),
    changeLimit: foundation.changeLimit,
    sessions,
    sessionRegistry,
    liveSessions: createLiveSessions({ registry: sessionRegistry, revocations, sessions, users }),
    now,
    rolesFile: createRolesFile(directory, foundation.check),
    audit: foundation.audit,
    auditRecords: createAuditRecords(foundation.activity),
  };
}

function upstreamAddress({ upstream }: Configuration, events: string): UpstreamAddress {
  if (upstream !== undefined) return { origin: upstream };
  return events.startsWith('unix:')
    ? { socketPath: events.slice('unix:'.length) }
    : { origin: `http://${events}` };
}
