import { getRequestListener } from '@hono/node-server';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrapAdmin } from './accounts/bootstrap.ts';
import { createFailureLimit } from './accounts/failure-limit.ts';
import { createLogin } from './accounts/login.ts';
import { createPasswordHasher } from './accounts/password-hash.ts';
import { createRolesFile } from './accounts/roles-file.ts';
import { createUsers } from './accounts/users.ts';
import type { Configuration } from './config/configuration.ts';
import type { ListenAddress } from './config/listen.ts';
import { findCertificate } from './edge/certificate.ts';
import { attachFront, type FrontDependencies } from './edge/front.ts';
import { listen } from './edge/listen.ts';
import { strippedHeaders } from './edge/upstream-headers.ts';
import { createUpstream, type UpstreamAddress } from './edge/upstream.ts';
import { createEventsApp } from './events/events-app.ts';
import { recorderDatabase, type RecorderDatabase } from './events/recorder-database.ts';
import { createDecisionLog } from './gateway/decision-log.ts';
import { createFastPath } from './gateway/fast-path.ts';
import { requireFrontProof } from './gateway/front-proof.ts';
import { createFrontQuestions } from './gateway/front-questions.ts';
import { createAuthoriser } from './gateway/authoriser.ts';
import type { GatewayDependencies } from './gateway/dependencies.ts';
import { accessRequestOfClient, clientOf, loginUrlOf } from './gateway/gateway-environment.ts';
import { createGateway } from './gateway/gateway.ts';
import { identityOf } from './gateway/identity-of.ts';
import { inForceOf } from './gateway/in-force.ts';
import { gatewayListener, refuseUnparsable } from './gateway/listener.ts';
import { isOwnPath } from './gateway/own-paths.ts';
import { asksForPage, errorResponse, refusalAnswer } from './gateway/refusal.ts';
import { grantOf } from './policy/grant.ts';
import type { Edge } from './policy/verdict.ts';
import { findJwtSecret } from './sessions/jwt-secret.ts';
import { createRevocations } from './sessions/revocations.ts';
import { sessionCookie } from './sessions/session-cookie.ts';
import { createSessionTokens } from './sessions/session-token.ts';
import { createSessions } from './sessions/sessions.ts';
import { readUiFiles } from './ui-files.ts';
import { openVersionedStore, storePath, type VersionedStore } from './store/store.ts';
import type { Logger } from './telemetry/logger.ts';

export interface App {
  /** Where each listener can be reached: `host:port` or `unix:/path`; absent when it is off. */
  readonly addresses: Readonly<Partial<Record<ListenerName, string>>>;
  close(): Promise<void>;
}

type ListenerName =
  | 'authenticated'
  | 'internal'
  | 'forwardAuthAuthenticated'
  | 'forwardAuthInternal'
  | 'events';

export interface AppOptions {
  readonly configuration: Configuration;
  /** Directory for what the program keeps. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads a text as config.yml. @throws ConfigurationError */
  readonly readConfiguration: (text: string) => Configuration;
  readonly logger: Logger;
  readonly now: () => Date;
}

// Behind a front. Groups of a large company do not fit Node's 16 KiB, nor does a look-up of 1,000 ids: each has up to 64
// characters. Clients of the embedded front keep Node's limit.
const maxHeaderSize = 96 * 1024;

const uiDirectory = join(import.meta.dirname, '..', 'dist', 'web');

const pruneInterval = 3_600_000;

// The command's transactions take milliseconds; decisions wait with a write that waits.
const storeLockTimeout = 250;

/** Any other upgrade a client offers (h2c, by some) is not taken: the request is answered as it is. */
const serverOptions = {
  shouldUpgradeCallback: ({ method, headers }: IncomingMessage) =>
    method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket',
};

/**
 * Wires the rooms together and listens.
 * @throws ConfigurationError or the system's error when it cannot; nothing is left listening then
 */
export async function startApp(options: AppOptions): Promise<App> {
  const { configuration, directory, logger } = options;
  const closing: Array<() => Promise<void> | void> = [];
  const addresses: Partial<Record<ListenerName, string>> = {};
  const close = async () => {
    for (const step of closing.splice(0).toReversed()) await step();
  };
  const open = async (name: ListenerName, server: Server, address: ListenAddress) => {
    const listening = await listen(server, address);
    closing.push(listening.close);
    addresses[name] = listening.address;
    return listening;
  };

  const { listen: at, tls } = configuration;
  try {
    const needsCertificate = tls.enabled && at.authenticated !== undefined;
    const certificate = needsCertificate
      ? await findCertificate(tls.files, directory, options.now())
      : undefined;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const versioned = await openVersionedStore(storePath(directory), storeLockTimeout);
    closing.push(() => versioned.store.destroy());

    const database = recorderDatabase(configuration.eventsDatabase);
    closing.push(database.close);
    const gatewayDependencies = await gatewayOf(options, versioned, database, closing);
    const { inForce } = gatewayDependencies;

    const events = createEventsApp({
      database,
      logger,
      grantOf: (role) => grantOf(role, inForce().rules.customRoles),
    });
    const answerEvents = getRequestListener(events.fetch, { overrideGlobalObjects: false });
    const eventsListening = await open(
      'events',
      createServer({ maxHeaderSize }, (request, response) => void answerEvents(request, response)),
      configuration.listen.events ?? privateSocket(closing),
    );

    const upstream = createUpstream(upstreamAddress(configuration, eventsListening.address));
    closing.push(upstream.close);

    const decisions = createDecisionLog();
    const now = () => options.now().getTime() / 1000;
    const authoriser = createAuthoriser(gatewayDependencies, decisions, now);
    const gateway = createGateway(gatewayDependencies, authoriser, decisions);

    const stripped = strippedHeaders(configuration.proxy.trustedHeaders);
    const front = (edge: Edge, tls: boolean): FrontDependencies => {
      const facts = { edge, tls, listener: 'client-facing' } as const;
      return {
        logger,
        authorise: authoriser.authorise,
        upstream,
        isOwnPath: (path) => isOwnPath(path, gatewayDependencies.hasSharedPages),
        identityOf,
        secure: tls,
        basePath: () => inForce().rules.basePath,
        prefixOf: (incoming) => clientOf({ incoming, ...facts }, inForce()).prefix,
        accessRequest: (incoming) => accessRequestOfClient({ incoming, ...facts }, inForce()),
        own: gatewayListener(gateway, facts, gatewayDependencies),
        refusalAnswer: (refused, incoming, decision) =>
          refusalAnswer(
            refused,
            loginUrlOf({ incoming, ...facts }, inForce()),
            asksForPage(incoming),
            decision,
            incoming.method === 'GET' ? incoming.url : undefined,
          ),
        errorAnswer: (error, request) => errorResponse(error, asksForPage(request)),
        strippedHeaders: stripped,
        isTrustedPeer: (address) => inForce().isTrustedProxy(address),
      };
    };

    if (at.authenticated !== undefined) {
      const server =
        certificate === undefined
          ? createServer(serverOptions)
          : createTlsServer({ ...certificate, ...serverOptions });
      attachFront(server, front('authenticated', certificate !== undefined));
      await open('authenticated', server, at.authenticated);
    }
    if (at.internal !== undefined) {
      const server = createServer(serverOptions);
      attachFront(server, front('internal', false));
      await open('internal', server, at.internal);
    }
    for (const [name, edge] of [
      ['forwardAuthAuthenticated', 'authenticated'],
      ['forwardAuthInternal', 'internal'],
    ] as const) {
      const address = at[name];
      if (address === undefined) continue;
      const listener = createFastPath(
        gatewayListener(gateway, { edge, tls: false, listener: 'forward-auth' }, gatewayDependencies),
        {
          edge,
          dependencies: gatewayDependencies,
          authoriser,
          storeVersion: versioned.version,
          now,
          bytes: configuration.cache.verdicts,
        },
      );
      const server = createServer({ maxHeaderSize });
      const proof = { ...configuration.fronts, isUnixSocket: 'path' in address };
      const requireProof = requireFrontProof(server, proof, logger);
      server.on(
        'request',
        requireProof(
          createFrontQuestions(listener, {
            edge,
            dependencies: gatewayDependencies,
            authorise: authoriser.authorise,
            strippedHeaders: stripped,
          }),
        ),
      );
      refuseUnparsable(server, logger);
      await open(name, server, address);
    }
    return { addresses, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function gatewayOf(
  { configuration, directory, environment, readConfiguration, logger, now }: AppOptions,
  { store, version }: VersionedStore,
  database: RecorderDatabase,
  closing: Array<() => void>,
): Promise<GatewayDependencies> {
  const { auth } = configuration;
  const seconds = () => now().getTime() / 1000;
  const users = createUsers(store, seconds);
  const hasher = createPasswordHasher();
  const revocations = createRevocations(store, seconds);
  const failureLimit = createFailureLimit(auth.failedLoginRateLimit);
  const onError = (error: unknown, message: string) => logger.warn({ err: error }, message);

  const prune = () =>
    void revocations.prune().catch((error: unknown) => onError(error, 'nothing was pruned'));
  prune();
  const pruning = setInterval(prune, pruneInterval).unref();
  closing.push(() => clearInterval(pruning));

  if (auth.enabled) await announceAdmin(users, hasher, auth.resetAdminPassword, logger);

  const jwtSecret = findJwtSecret(environment, directory);
  if (jwtSecret.isNew) logger.info({ source: jwtSecret.source }, 'made a JWT secret');
  if (jwtSecret.isShort) {
    logger.warn(
      { source: jwtSecret.source },
      'the JWT secret is short: at least 64 characters are recommended',
    );
  }

  const ui = readUiFiles(uiDirectory);
  if (ui === undefined)
    logger.warn({ directory: uiDirectory }, 'there is no UI: run script/server, or node script/build-ui.ts');

  let current = inForceOf(configuration, database);
  return {
    ui,
    hasSharedPages: configuration.upstream === undefined,
    logger,
    users,
    hasher,
    inForce: () => current,
    cookie: sessionCookie(auth.cookieName),
    login: createLogin({ users, hasher, failureLimit, onError }),
    sessions: createSessions({
      tokens: createSessionTokens(jwtSecret.secret, now),
      revocations,
      findUser: users.find,
      sessionLength: auth.sessionLength,
      refreshTime: auth.refreshTime,
      now: seconds,
      storeVersion: version,
      rememberedBytes: configuration.cache.sessions,
    }),
    rolesFile: createRolesFile(directory, (text) => {
      const changed = readConfiguration(text);
      return () => {
        current = inForceOf({ ...configuration, auth: { ...auth, roles: changed.auth.roles } }, database);
      };
    }),
  };
}

async function announceAdmin(
  users: Parameters<typeof bootstrapAdmin>[0],
  hasher: Parameters<typeof bootstrapAdmin>[1],
  reset: boolean,
  logger: Logger,
): Promise<void> {
  const bootstrapped = await bootstrapAdmin(users, hasher, reset);
  if (bootstrapped === undefined) return;
  const { done, password } = bootstrapped;
  // The one secret that the log ever holds: there is no other way to hand it over.
  logger.warn(`********** ${done} user "admin", password: ${password} **********`);
  if (reset) logger.warn('take auth.reset_admin_password out again: every start resets the password');
}

function privateSocket(closing: Array<() => void>): ListenAddress {
  const directory = mkdtempSync(join(tmpdir(), 'postern-'));
  closing.push(() => rmSync(directory, { recursive: true, force: true }));
  return { path: join(directory, 'events.sock') };
}

function upstreamAddress({ upstream }: Configuration, eventsAddress: string): UpstreamAddress {
  if (upstream !== undefined) return { origin: upstream };
  return eventsAddress.startsWith('unix:')
    ? { socketPath: eventsAddress.slice('unix:'.length) }
    : { origin: `http://${eventsAddress}` };
}
