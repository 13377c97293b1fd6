import { getRequestListener } from '@hono/node-server';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createApiTokenUses } from './accounts/api-token-uses.ts';
import { createApiTokens } from './accounts/api-tokens.ts';
import { bootstrapAdmin } from './accounts/bootstrap.ts';
import { clientAddress, type InNetworks } from './accounts/client-address.ts';
import { createChangeLimit } from './accounts/change-limit.ts';
import { addressKey, createFailureLimit, type FailureLimit } from './accounts/failure-limit.ts';
import { createPasswordHasher } from './accounts/password-hash.ts';
import { createUsers } from './accounts/users.ts';
import type { AuditEntry } from './audit/audit-entry.ts';
import { createAuditLog, type AuditLog } from './audit/audit-log.ts';
import { createAuditTable } from './audit/audit-table.ts';
import { reloadEntry } from './audit/configuration-change.ts';
import { keepListeners } from './config/changes.ts';
import { createReloadRecord, type ReloadRecord } from './config/reload-report.ts';
import type { Configuration } from './config/configuration.ts';
import type { ListenAddress } from './config/listen.ts';
import { findCertificate } from './edge/certificate.ts';
import { attachFront } from './edge/front.ts';
import { listen, type Listening } from './edge/listen.ts';
import { createEventsApp, type RefusedLookup } from './events/events-app.ts';
import { recorderDatabase } from './events/recorder-database.ts';
import { createUpstream, type Upstream, type UpstreamAddress } from './edge/upstream.ts';
import { createGate, type Foundation, type Gate } from './gate.ts';
import { createDecisionLog } from './gateway/decision-log.ts';
import { requireFrontProof } from './gateway/front-proof.ts';
import { refuseUnparsable } from './gateway/listener.ts';
import { monitor, version } from './monitoring.ts';
import { grantOf } from './policy/grant.ts';
import type { Edge } from './policy/verdict.ts';
import { findJwtSecret, jwtSecretFiles } from './sessions/jwt-secret.ts';
import { createRevocations } from './sessions/revocations.ts';
import { createSessionRegistry } from './sessions/session-registry.ts';
import { openActivityAnyway } from './store/activity.ts';
import type { OpeningNotices } from './store/open-database.ts';
import {
  activityPath,
  openVersionedStore,
  storePath,
  type Activity,
  type VersionedStore,
} from './store/store.ts';
import type { Logger } from './telemetry/logger.ts';
import type { Tallies } from './telemetry/tallies.ts';
import { monitoringListener } from './telemetry/monitoring-answers.ts';
import { readUiFiles } from './ui-files.ts';

export interface App {
  /** Where each listener can be reached: `host:port` or `unix:/path`; absent when it is off. */
  readonly addresses: Readonly<Partial<Record<ListenerName, string>>>;
  /**
   * Puts another configuration in force, with the certificate and the JWT secret as they are now. Requests that are under
   * way come to their end with what they began with.
   * @returns keys whose change needs a restart, and stays as it was
   * @throws ConfigurationError when a file is no good; then nothing has changed
   */
  reload(configuration: Configuration): Promise<readonly string[]>;
  /** What is in force, and what became of the attempts to change it. */
  readonly reloads: ReloadRecord;
  /** Keeps that the program has started, and with what. */
  recordStart(): Promise<void>;
  /** Keeps how the last attempt to read the configuration anew ended; the log has its own lines. */
  recordReload(): Promise<void>;
  /** Further files that the configuration in force is made of: certificate, key, JWT secret. */
  files(): readonly string[];
  /** @param patience milliseconds for what is under way; none: it is cut */
  close(patience?: number): Promise<void>;
}

type ListenerName =
  | 'authenticated'
  | 'internal'
  | 'metrics'
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

const root = join(import.meta.dirname, '..');
const uiDirectory = join(root, 'dist', 'web');
// Generated from the schemas by script/docs.
const openapiFile = join(root, 'docs', 'openapi.json');

const pruneInterval = 3_600_000;

// The command's transactions take milliseconds; decisions wait with a write that waits.
const storeLockTimeout = 250;

// What could not be written is written with what comes later: nothing has to wait for it.
const activityLockTimeout = 25;

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
  const { directory, environment, logger } = options;
  const closing: Array<() => Promise<void> | void> = [];
  const fronts: Listening[] = [];
  const addresses: Partial<Record<ListenerName, string>> = {};
  const close = async (patience = 0) => {
    // Whoever faces clients or fronts first, since they still need the rest.
    await Promise.all(fronts.splice(0).map((listening) => listening.close(patience)));
    for (const step of closing.splice(0).toReversed()) await step();
  };
  const open = async (name: ListenerName, server: Server, address: ListenAddress) => {
    const listening = await listen(server, address);
    if (name === 'events') closing.push(() => listening.close());
    else fronts.push(listening);
    addresses[name] = listening.address;
    return listening;
  };

  let { configuration } = options;
  const { listen: at, tls } = configuration;
  const reloads = createReloadRecord(configuration, options.now);
  const about = { version, started: options.now(), reloads: reloads.read };
  const needsCertificate = tls.enabled && at.authenticated !== undefined;
  const certificateOf = async ({ tls: { files } }: Configuration) =>
    needsCertificate
      ? findCertificate(files, directory, options.now(), (warning) => logger.warn(warning))
      : undefined;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // First, since it keeps a restore away, and knows of one that was cut off.
    const versioned = await openVersionedStore(
      storePath(directory),
      storeLockTimeout,
      openingNotices(logger, 'postern.db'),
    );
    closing.push(() => versioned.store.destroy());
    const activity = await openActivityOf(options);
    closing.push(() => activity.destroy());
    const audit = createAuditLog({
      logger,
      table: createAuditTable(activity),
      retention: () => configuration.audit,
      clientOf: addressKey,
      now: options.now,
    });
    closing.push(audit.close);
    const certificate = await certificateOf(configuration);

    const database = recorderDatabase(configuration.eventsDatabase);
    closing.push(database.close);
    const { tallies, monitoring } = monitor({ ...options, ...versioned, activity, database, reloads });
    const events = createEventsApp({
      database,
      logger,
      grantOf: (role) => grantOf(role, gate.inForce.rules.customRoles),
      onRefused: (refused) => void audit.record(refusedLookup(refused, gate.inForce.isTrustedProxy)),
    });
    const answerEvents = getRequestListener(events.fetch, { overrideGlobalObjects: false });
    const eventsListening = await open(
      'events',
      createServer({ maxHeaderSize }, (request, response) => void answerEvents(request, response)),
      at.events ?? privateSocket(closing),
    );

    const putInForce = (changed: Configuration, jwtSecret: string) => {
      gate = createGate(changed, jwtSecret, foundation);
      configuration = changed;
      reloads.putInForce(changed);
    };
    const foundation: Foundation = {
      ...(await foundationOf(options, versioned, activity, audit, tallies, closing)),
      monitoring,
      about,
      database,
      events: eventsListening.address,
      check: (text) => {
        const changed = keepListeners(options.readConfiguration(text), configuration).configuration;
        const { secret } = findJwtSecret(environment, directory);
        return () => putInForce(changed, secret);
      },
    };
    let gate = createGate(configuration, jwtSecretOf(options), foundation);

    /** What is made of the gate in force, once for each gate. */
    const perGate = <T>(make: (current: Gate) => T): (() => T) => {
      let [of, made] = [gate, make(gate)];
      return () => {
        if (of !== gate) [of, made] = [gate, make(gate)];
        return made;
      };
    };

    let secureServer: SecureServer | undefined;
    if (at.authenticated !== undefined) {
      const isSecure = certificate !== undefined;
      if (isSecure) secureServer = createTlsServer({ ...certificate, ...serverOptions });
      const server = secureServer ?? createServer(serverOptions);
      attachFront(
        server,
        perGate((current) => current.front('authenticated', isSecure)),
      );
      await open('authenticated', server, at.authenticated);
    }
    if (at.internal !== undefined) {
      const server = createServer(serverOptions);
      attachFront(
        server,
        perGate((current) => current.front('internal', false)),
      );
      await open('internal', server, at.internal);
    }
    for (const [name, edge] of forwardAuthListeners) {
      const address = at[name];
      if (address === undefined) continue;
      const server = createServer({ maxHeaderSize });
      const answer = perGate((current) => current.questions(edge));
      const listener: RequestListener = (incoming, outgoing) => answer()(incoming, outgoing);
      server.on(
        'request',
        'path' in address
          ? listener
          : requireFrontProof(server, () => gate.frontProof, audit, tallies.decisions)(listener),
      );
      refuseUnparsable(server, audit, tallies.decisions);
      await open(name, server, address);
    }
    if (at.metrics !== undefined) {
      const answer = monitoringListener(monitoring, (error) =>
        logger.error({ err: error }, 'metrics failed'),
      );
      await open('metrics', createServer(answer), at.metrics);
    }

    const reload = async (wanted: Configuration) => {
      const { configuration: changed, waiting } = keepListeners(wanted, configuration);
      const renewed = await certificateOf(changed);
      const { secret } = findJwtSecret(environment, directory);
      if (renewed !== undefined) secureServer?.setSecureContext(renewed);
      putInForce(changed, secret);
      return waiting;
    };
    const files = () => [
      ...Object.values(configuration.tls.files ?? {}),
      ...jwtSecretFiles(environment, directory),
    ];
    const recordStart = () =>
      audit.record({ event: 'started', source: 'system', detail: { hash: reloads.read().hash } });
    const recordReload = () => audit.keep(reloadEntry(reloads.read()));
    return { addresses, reload, reloads, recordStart, recordReload, files, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type SecureServer = ReturnType<typeof createTlsServer>;

const forwardAuthListeners: ReadonlyArray<
  readonly [name: 'forwardAuthAuthenticated' | 'forwardAuthInternal', edge: Edge]
> = [
  ['forwardAuthAuthenticated', 'authenticated'],
  ['forwardAuthInternal', 'internal'],
];

/** A verdict had let it pass; what it asked for was found out in the events app. */
function refusedLookup(
  { user, role, forwardedFor, path }: RefusedLookup,
  isTrustedProxy: InNetworks,
): AuditEntry {
  const hops = { peer: undefined, behindFront: true, forwardedFor: [forwardedFor] };
  const address = clientAddress(hops, isTrustedProxy);
  return { event: 'refused', reason: 'camera_not_granted', user, role, address, object: path };
}

async function foundationOf(
  { configuration: { auth }, directory, logger, now }: AppOptions,
  { store, version: storeVersion }: VersionedStore,
  activity: Activity,
  audit: AuditLog,
  tallies: Tallies,
  closing: Array<() => Promise<void> | void>,
): Promise<Omit<Foundation, 'database' | 'events' | 'check' | 'monitoring' | 'about'>> {
  const seconds = () => now().getTime() / 1000;
  const users = createUsers(store, seconds);
  const hasher = createPasswordHasher(undefined, () => (tallies.limited.password_hashes += 1));
  const revocations = createRevocations(store, seconds, () =>
    logger.warn(
      'the clock went back: every session was ended, since one that was revoked might be good again',
    ),
  );
  const apiTokens = createApiTokens(store, seconds, storeVersion);
  const apiTokenUses = createApiTokenUses(activity, {
    now: seconds,
    onError: (error) => logger.warn({ err: error }, 'the last use of API tokens was not written'),
  });
  closing.push(apiTokenUses.close);

  const sessionRegistry = createSessionRegistry({
    activity,
    now: seconds,
    onFault: (error) => logger.error({ err: error }, 'what sessions do cannot be written down'),
    onRecovery: () => logger.info('what sessions do is written down again'),
  });
  closing.push(sessionRegistry.close);

  const pruneUses = async () => apiTokenUses.prune(new Set((await apiTokens.list()).map(({ id }) => id)));
  const prune = () => {
    const failed = (error: unknown) => logger.warn({ err: error }, 'nothing was pruned');
    void revocations.prune().catch(failed);
    void sessionRegistry.prune(users.find).catch(failed);
    void pruneUses().catch(failed);
    void audit.prune();
  };
  prune();
  const pruning = setInterval(prune, pruneInterval).unref();
  closing.push(() => clearInterval(pruning));

  if (auth.enabled) await announceAdmin(users, hasher, auth.resetAdminPassword, logger, audit);

  const ui = readUiFiles(uiDirectory);
  if (ui === undefined)
    logger.warn({ directory: uiDirectory }, 'there is no UI: run script/server, or node script/build-ui.ts');

  return {
    logger,
    directory,
    now,
    activity,
    audit,
    users,
    apiTokens,
    apiTokenUses,
    hasher,
    revocations,
    sessionRegistry,
    failureLimit: keptFailureLimit(() => (tallies.limited.login_failures += 1)),
    changeLimit: createChangeLimit(),
    upstream: keptUpstream(closing),
    decisions: createDecisionLog(),
    storeVersion,
    tallies,
    ui,
    openapi: readFileSync(openapiFile, 'utf8'),
  };
}

function openActivityOf({ directory, logger, now }: AppOptions): Promise<Activity> {
  const notices = openingNotices(logger, 'activity.db');
  return openActivityAnyway(
    activityPath(directory),
    activityLockTimeout,
    now(),
    notices,
    ({ error, movedTo }) =>
      movedTo === undefined
        ? logger.error({ err: error }, 'activity.db cannot be used: until a restart what is done is not kept')
        : logger.error(
            { err: error, movedTo },
            'activity.db is damaged: it was moved aside, and a new one begun',
          ),
  );
}

function openingNotices(logger: Logger, name: string): OpeningNotices {
  return {
    copied: (copy) => logger.info({ copy }, `${name} is upgraded; the copy is as it was before`),
    alone: () =>
      logger.warn(`${name} is on a full disk: until a restart no command can use it beside the gate`),
  };
}

/** The failures that were counted stay counted for as long as the rules are the same. */
function keptFailureLimit(onLimited: () => void): Foundation['failureLimit'] {
  let kept: { readonly rules: string | undefined; readonly limit: FailureLimit } | undefined;
  return (rules) => {
    if (kept?.rules !== rules || kept === undefined)
      kept = { rules, limit: createFailureLimit(rules, onLimited) };
    return kept.limit;
  };
}

// Whoever began with the former gate has asked the former upstream by then. Milliseconds.
const farewell = 10_000;

/** An upstream that stays the same keeps its connections; one that is left lets them come to their end. */
function keptUpstream(closing: Array<() => Promise<void> | void>): Foundation['upstream'] {
  let kept: { readonly address: UpstreamAddress; readonly upstream: Upstream } | undefined;
  closing.push(() => kept?.upstream.destroy());
  return (address) => {
    if (kept !== undefined && isDeepStrictEqual(kept.address, address)) return kept.upstream;
    const former = kept?.upstream;
    if (former !== undefined) setTimeout(() => void former.close(), farewell).unref();
    kept = { address, upstream: createUpstream(address) };
    return kept.upstream;
  };
}

/** @returns the secret, after the log has said where it comes from */
function jwtSecretOf({ environment, directory, logger }: AppOptions): string {
  const { secret, source, isNew, isShort } = findJwtSecret(environment, directory);
  if (isNew) logger.info({ source }, 'made a JWT secret');
  if (isShort) logger.warn({ source }, 'the JWT secret is short: at least 64 characters are recommended');
  return secret;
}

async function announceAdmin(
  users: Parameters<typeof bootstrapAdmin>[0],
  hasher: Parameters<typeof bootstrapAdmin>[1],
  reset: boolean,
  logger: Logger,
  audit: AuditLog,
): Promise<void> {
  const bootstrapped = await bootstrapAdmin(users, hasher, reset);
  if (bootstrapped === undefined) return;
  const { done, password } = bootstrapped;
  // The one secret that the log ever holds: there is no other way to hand it over.
  logger.warn(`********** ${done} user "admin", password: ${password} **********`);
  await audit.record({
    event: 'admin_password_generated',
    source: 'system',
    object: 'admin',
    detail: { done },
  });
  if (reset) logger.warn('take auth.reset_admin_password out again: every start resets the password');
}

function privateSocket(closing: Array<() => void>): ListenAddress {
  const directory = mkdtempSync(join(tmpdir(), 'postern-'));
  closing.push(() => rmSync(directory, { recursive: true, force: true }));
  return { path: join(directory, 'events.sock') };
}
