import type { EntryPoint } from '../policy/request-context.ts';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { atMostEvery } from '../telemetry/pacing.ts';
import { listenerKeys } from '../config/changes.ts';
import type { Configuration } from '../config/configuration.ts';
import type { ListenAddress } from '../config/listen.ts';
import type { Answer } from '../errors.ts';
import type { Certificate } from '../http/tls/certificate.ts';
import { createConnectionShare } from '../http/connections/connection-share.ts';
import { attachReverseProxy } from '../http/reverse-proxy/reverse-proxy.ts';
import {
  guardConnections,
  serverOptions,
  type ConnectionFault,
} from '../http/connections/guard-connections.ts';
import type { Current } from './current.ts';
import { maxHeaderSize, refuseLongHeaders, refuseLongTarget } from '../http/long-requests.ts';
import type { Listen, Listening } from '../http/listen.ts';
import type { Runtime } from './runtime.ts';
import type { Services } from './services.ts';
import { onlyFronts, requireFrontProof } from '../http/fronts/front-trust.ts';
import { refuseUnparsable } from '../api/listener.ts';
import { monitoringListener } from '../telemetry/monitoring-answers.ts';

/** Everything that listens for clients, fronts and scrapers. */
export interface Listeners {
  /** Address of each: `host:port` or `unix:/path`; absent when it is off. */
  readonly addresses: Readonly<Partial<Record<ListenerName, string>>>;
  /** New connections get another certificate. */
  renew(certificate: Certificate): void;
  /** Announces to clients with an open connection that it ends. */
  leave(): void;
  /** @param timeoutMs for requests and streams under way */
  close(timeoutMs: number): Promise<void>;
}

type ListenerName =
  | 'authenticated'
  | 'internal'
  | 'metrics'
  | 'forwardAuthAuthenticated'
  | 'forwardAuthInternal'
  | 'relayAuthenticated'
  | 'relayInternal';

/** The current runtime: each request finishes with the one that it began with. */
type CurrentRuntime = () => Runtime;

/** Any other upgrade (some clients offer h2c) is ignored: the request gets a normal answer. */
const webSockets = {
  ...serverOptions,
  maxHeaderSize: maxHeaderSize.client,
  shouldUpgradeCallback: ({ method, headers }: IncomingMessage) =>
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined,
};

// Milliseconds.
const handshakeTimeout = 30_000;

interface ListenersOptions {
  readonly at: Configuration['listen'];
  readonly listen: Listen;
  /** `undefined` if no listener uses TLS. */
  readonly certificate: Certificate | undefined;
}

/**
 * @throws ListenError when one listener cannot listen; then none does
 */
export async function openListeners(
  { at, listen, certificate }: ListenersOptions,
  { runtime }: Current<Runtime>,
  services: Services,
): Promise<Listeners> {
  const { tallies, logger } = services.foundation;
  const { limited } = tallies;
  const onFault = (fault: ConnectionFault) => {
    limited[fault] += 1;
    logger.debug({ fault }, 'closed a connection in the middle');
  };
  const opened: Listening[] = [];
  const addresses: Partial<Record<ListenerName, string>> = {};
  const close = async (timeoutMs: number) => {
    await Promise.all(opened.splice(0).map((listening) => listening.close(timeoutMs)));
  };
  const open = async (name: ListenerName, make: (address: ListenAddress) => Server) => {
    const address = at[name];
    if (address === undefined) return;
    const server = make(address);
    guardConnections(server, () => runtime().limits, onFault);
    const listening = await listen(server, address, listenerKeys[name]);
    opened.push(listening);
    addresses[name] = listening.address;
  };
  const secureServer = certificate && createTlsServer({ ...certificate, ...webSockets, handshakeTimeout });
  const shareConnections = connectionShare(runtime, services);
  const front = (entryPoint: EntryPoint, server: Server, isSecure: boolean) => {
    shareConnections(server);
    attachReverseProxy(
      server,
      perRuntime(runtime, (current) => current.front(entryPoint, isSecure)),
      refuseLongTarget,
    );
    refuseLongHeaders(server);
    return server;
  };
  try {
    await open('authenticated', () =>
      front('authenticated', secureServer ?? createServer(webSockets), secureServer !== undefined),
    );
    await open('internal', () => front('internal', createServer(webSockets), false));
    for (const [name, entryPoint] of forwardAuth)
      await open(name, (address) => forwardAuthServer(entryPoint, address, runtime, services));
    for (const [name, entryPoint] of relays)
      await open(name, (address) => {
        const server = relayServer(entryPoint, address, runtime, services);
        shareConnections(server, 'fronts');
        return server;
      });
    await open('metrics', () =>
      createServer(
        serverOptions,
        monitoringListener(services.monitoring.answer, (error) =>
          logger.error({ err: error }, 'metrics failed'),
        ),
      ),
    );
  } catch (error) {
    await close(0);
    throw error;
  }
  return {
    addresses,
    renew: (renewed) => secureServer?.setSecureContext(renewed),
    leave: () => {
      for (const listening of opened) listening.leave();
    },
    close,
  };
}

const forwardAuth = [
  ['forwardAuthAuthenticated', 'authenticated'],
  ['forwardAuthInternal', 'internal'],
] as const;

function forwardAuthServer(
  entryPoint: EntryPoint,
  address: ListenAddress,
  runtime: CurrentRuntime,
  services: Services,
): Server {
  const server = createServer({ ...serverOptions, maxHeaderSize: maxHeaderSize.front });
  const answer = perRuntime(runtime, (current) => current.authorizationRequests(entryPoint));
  const listener: RequestListener = (incoming, outgoing) => answer()(incoming, outgoing);
  server.on('request', onlyFronts(isFront(server, address, runtime, services), listener));
  refuseUnparsable(server, services.foundation.audit, services.foundation.tallies.decisions);
  return server;
}

const relays = [
  ['relayAuthenticated', 'authenticated'],
  ['relayInternal', 'internal'],
] as const;

function relayServer(
  entryPoint: EntryPoint,
  address: ListenAddress,
  runtime: CurrentRuntime,
  services: Services,
): Server {
  const server = createServer({ ...webSockets, maxHeaderSize: maxHeaderSize.front });
  const proxy = perRuntime(runtime, (current) => current.relay(entryPoint));
  const isAdmitted = isFront(server, address, runtime, services);
  attachReverseProxy(server, proxy, (request) => (isAdmitted(request) ? undefined : notAdmitted));
  refuseLongHeaders(server);
  return server;
}

const notAdmitted: Answer = { status: 403, headers: { connection: 'close' }, body: '' };

/** The permissions of a Unix socket decide who is a front. */
function isFront(
  server: Server,
  address: ListenAddress,
  runtime: CurrentRuntime,
  { foundation: { audit, tallies } }: Services,
): (request: IncomingMessage) => boolean {
  if ('path' in address) return () => true;
  return requireFrontProof(server, () => runtime().frontProof, audit, tallies.decisions);
}

// Milliseconds between two lines of the log about the same thing.
const noticeInterval = 60_000;

/** The client-facing listeners share one count. */
function connectionShare(runtime: CurrentRuntime, { foundation }: Services) {
  const {
    tallies: { limited },
    logger,
  } = foundation;
  let last = {};
  const noticeMost = atMostEvery(noticeInterval, () =>
    logger.warn(
      last,
      'one address has most of the connections that it may have (limits.connections_per_client): a proxy that sends X-Forwarded-For belongs in auth.trusted_proxies; for a network that hides its clients, raise the limit',
    ),
  );
  const noticeTurnedAway = atMostEvery(noticeInterval, () =>
    logger.warn(last, 'closed connections of clients that have too many (limits.connections_per_client)'),
  );
  let full = {};
  const noticeFull = atMostEvery(noticeInterval, () =>
    logger.warn(
      full,
      'all places for connections are taken: closes the oldest idle connections for new ones, and new ones when none is idle; raise the limit of open files (ulimit -n, LimitNOFILE=)',
    ),
  );
  return createConnectionShare({
    perClient: () => runtime().limits.connectionsPerClient,
    total: () => runtime().clientConnections,
    clientOf: (address) => runtime().connectionOwner(address),
    onMost: (address, connections) => {
      last = { address, connections };
      noticeMost();
    },
    onTurnedAway: (address) => {
      last = { address };
      limited.connections_per_client += 1;
      noticeTurnedAway();
    },
    onFull: (connections, closed) => {
      full = { event: 'connections_full', connections };
      if (closed === 'new') limited.connections_per_client += 1;
      noticeFull();
    },
  });
}

/** Memoizes a value made of the current runtime. */
function perRuntime<T>(runtime: CurrentRuntime, make: (current: Runtime) => T): () => T {
  let of = runtime();
  let made = make(of);
  return () => {
    if (of !== runtime()) {
      of = runtime();
      made = make(of);
    }
    return made;
  };
}
