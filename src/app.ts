import { getRequestListener } from '@hono/node-server';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { networksOf } from './accounts/client-address.ts';
import type { Configuration } from './config/configuration.ts';
import type { ListenAddress } from './config/listen.ts';
import { ConfigurationError } from './config/problem.ts';
import { selfSignedCertificate, type Certificate } from './edge/certificate.ts';
import { attachFront, type FrontDependencies } from './edge/front.ts';
import { listen } from './edge/listen.ts';
import { strippedHeaders } from './edge/upstream-headers.ts';
import { createUpstream, type UpstreamAddress } from './edge/upstream.ts';
import { createEventsApp } from './events/events-app.ts';
import { recorderDatabase } from './events/recorder-database.ts';
import { createAuthoriser } from './gateway/authoriser.ts';
import type { GatewayDependencies } from './gateway/dependencies.ts';
import { createGateway } from './gateway/gateway.ts';
import { identityOf } from './gateway/identity-of.ts';
import { gatewayListener, refuseUnparsable } from './gateway/listener.ts';
import { isOwnPath } from './gateway/own-paths.ts';
import { errorResponse, refusalAnswer, wantsPage } from './gateway/refusal.ts';
import { grantOf } from './policy/grant.ts';
import { proxySubject } from './policy/proxy-subject.ts';
import { prepareTargets } from './policy/resolve-target.ts';
import { prepareRoleResolution } from './policy/role-map.ts';
import { targetTable } from './policy/target-table.ts';
import type { Edge } from './policy/verdict.ts';
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
  readonly logger: Logger;
  readonly now: () => Date;
}

// Groups of a large company do not fit Node's 16 KiB, and nginx passes on up to 32 KiB.
const maxHeaderSize = 64 * 1024;

/** Any other upgrade a client offers (h2c, by some) is not taken: the request is answered as it is. */
const upgrades = {
  shouldUpgradeCallback: ({ method, headers }: IncomingMessage) =>
    method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket',
};

/**
 * Wires the rooms together and listens.
 * @throws ConfigurationError or the system's error when it cannot; nothing is left listening then
 */
export async function startApp(options: AppOptions): Promise<App> {
  const { configuration, logger } = options;
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
    const certificate = needsCertificate ? await certificateOf(options) : undefined;

    const database = recorderDatabase(configuration.eventsDatabase);
    closing.push(database.close);
    const events = createEventsApp({
      database,
      logger,
      grantOf: (role) => grantOf(role, configuration.auth.roles),
    });
    const answerEvents = getRequestListener(events.fetch, { overrideGlobalObjects: false });
    const eventsAddress = configuration.listen.events ?? privateSocket(closing);
    const eventsListening = await open(
      'events',
      createServer((request, response) => void answerEvents(request, response)),
      eventsAddress,
    );

    const upstream = createUpstream(upstreamAddress(configuration, eventsListening.address));
    closing.push(upstream.close);

    const gatewayDependencies = dependenciesOf(options, () => configuration.cameras ?? database.cameras());
    const authorise = createAuthoriser(gatewayDependencies);
    const gateway = createGateway(gatewayDependencies, authorise);

    const front = (edge: Edge, secure: boolean): FrontDependencies => ({
      logger,
      edge,
      secure,
      authorise,
      upstream,
      isOwnPath,
      identityOf,
      own: gatewayListener(gateway, { edge, listener: 'client-facing' }),
      refusalAnswer: (refused, request) =>
        refusalAnswer(
          refused,
          gatewayDependencies.mode === 'session' ? '/login' : undefined,
          asksForPage(request),
        ),
      errorAnswer: (error, request) => errorResponse(error, asksForPage(request)),
      strippedHeaders: strippedHeaders(configuration.proxy.trustedHeaders),
      isTrustedPeer: networksOf(configuration.auth.trustedProxies),
    });

    if (at.authenticated !== undefined) {
      const server =
        certificate === undefined ? createServer(upgrades) : createTlsServer({ ...certificate, ...upgrades });
      attachFront(server, front('authenticated', certificate !== undefined));
      await open('authenticated', server, at.authenticated);
    }
    if (at.internal !== undefined) {
      const server = createServer(upgrades);
      attachFront(server, front('internal', false));
      await open('internal', server, at.internal);
    }
    for (const [name, edge] of [
      ['forwardAuthAuthenticated', 'authenticated'],
      ['forwardAuthInternal', 'internal'],
    ] as const) {
      const address = at[name];
      if (address === undefined) continue;
      const listener = gatewayListener(gateway, { edge, listener: 'forward-auth' });
      const server = createServer({ maxHeaderSize }, listener);
      refuseUnparsable(server, logger);
      await open(name, server, address);
    }
    return { addresses, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function dependenciesOf(
  { configuration, logger }: AppOptions,
  allCameras: () => readonly string[],
): GatewayDependencies {
  const { auth, proxy, cameras, logoutUrl } = configuration;
  const identity = {
    trustedHeaders: proxy.trustedHeaders,
    userHeader: proxy.userHeader,
    roleHeader: proxy.roleHeader,
    ...prepareRoleResolution({ ...proxy, customRoles: auth.roles }),
  };
  const knownCameras = [...auth.roles.values()].reduce(
    (known, granted) => known.union(granted),
    new Set(cameras),
  );
  return {
    logger,
    rules: { customRoles: auth.roles, resolveTarget: prepareTargets(targetTable, knownCameras) },
    proxySecret: proxy.authSecret,
    mode: auth.enabled ? 'session' : 'proxy',
    identifyUser: async ({ headers }) =>
      auth.enabled ? { refused: 'no_session' } : proxySubject(headers, identity),
    logoutUrl,
    allCameras,
  };
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

async function certificateOf({ configuration, directory, now }: AppOptions): Promise<Certificate> {
  const { files } = configuration.tls;
  if (files === undefined) return selfSignedCertificate(directory, now());
  const read = (key: 'certificate' | 'key') => {
    try {
      return readFileSync(files[key], 'utf8');
    } catch (error) {
      const found = `a file that cannot be read (${(error as NodeJS.ErrnoException).code})`;
      throw new ConfigurationError([{ path: `tls.${key}`, found, allowed: 'a readable PEM file' }]);
    }
  };
  return { cert: read('certificate'), key: read('key') };
}

function asksForPage(request: IncomingMessage): boolean {
  return wantsPage((name) => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : undefined;
  });
}
