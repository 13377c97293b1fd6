import { getRequestListener } from '@hono/node-server';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { bootstrapAdmin } from '../accounts/bootstrap.ts';
import { deriveInPool } from '../accounts/key-derivation.ts';
import { createPasswordHasher, type PasswordHasherOptions } from '../accounts/password-hash.ts';
import { clientAddress, type InNetworks } from '../policy/client-address.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import { reloadEntry } from '../audit/configuration-change.ts';
import { keepListeners, listenerKeys } from '../config/changes.ts';
import type { Configuration, Limits } from '../config/configuration.ts';
import type { ListenAddress } from '../config/listen.ts';
import { createReloadRecord, type ReloadRecord } from '../config/reload-report.ts';
import { endOf, findCertificate } from '../tls/certificate.ts';
import { guardConnections, serverOptions } from '../connections/guard-connections.ts';
import { readRecorderCertificate } from '../tls/recorder-certificate.ts';
import { listen } from './listen.ts';
import { servesSample } from '../events/sample.ts';
import { createEventsApp, type RefusedLookup } from '../events/events-app.ts';
import { startPruning } from './pruning.ts';
import { openServices, type Services } from './services.ts';
import { createRuntime, type Runtime, type RuntimeFiles } from './runtime.ts';
import { maxHeaderSize, openListeners, type Listeners } from './listeners.ts';
import { grantOf } from '../policy/grant.ts';
import { findJwtSecret, jwtSecretFiles, sharedJwtSecret } from '../sessions/jwt-secret.ts';
import { recipientOf } from '../fronts/recipient.ts';
import { errorResponse } from '../fronts/refusal.ts';
import type { Settings } from '../settings/settings.ts';
import type { AppError } from '../errors.ts';
import type { Logger, LogQueue } from '../telemetry/logger.ts';

export interface App {
  /** Where each listener can be reached: `host:port` or `unix:/path`; absent when it is off. */
  readonly addresses: Listeners['addresses'] & { readonly events: string };
  /**
   * Applies another configuration, with the certificate and the JWT secret as they are now. Requests that are under
   * way come to their end with what they began with.
   * @returns keys whose change needs a restart, and stays as it was
   * @throws ConfigurationError when a file is no good; then nothing has changed
   */
  reload(configuration: Configuration): Promise<readonly string[]>;
  /** The current configuration, and what became of the attempts to change it. */
  readonly reloads: ReloadRecord;
  /** Keeps that the program has started, and with what. */
  recordStart(): Promise<void>;
  /** Keeps how the last attempt to read the configuration anew ended; the log has its own lines. */
  recordReload(): Promise<void>;
  /** Further files that the current configuration is made of: certificate, key, JWT secret. */
  files(): readonly string[];
  /** @param patience milliseconds for what is under way; none: it is cut */
  close(patience?: number): Promise<void>;
}

export interface AppOptions {
  readonly configuration: Configuration;
  /** Directory for what the program keeps. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads a text as config.yml. @throws ConfigurationError */
  readonly readConfiguration: (text: string) => Configuration;
  readonly logger: Logger;
  /** Where its lines go. */
  readonly log: Pick<LogQueue, 'dropped' | 'onceRecovered'>;
  readonly clock: Clock;
  readonly passwordHasher?: PasswordHasherOptions;
}

/**
 * Wires the modules together and listens.
 * @throws ConfigurationError or the system's error when it cannot; nothing is left listening then
 */
export async function startApp(options: AppOptions): Promise<App> {
  const closing = new AsyncDisposableStack();
  try {
    return await start(options, closing);
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

async function start(options: AppOptions, closing: AsyncDisposableStack): Promise<App> {
  const { directory, environment, logger, log, clock, passwordHasher } = options;
  let { configuration } = options;
  const { listen: at, tls } = configuration;
  const reloads = createReloadRecord(configuration, clock);
  const services = await openServices({
    configuration: () => configuration,
    directory,
    logger,
    log,
    clock,
    reloads,
    ...(passwordHasher && { passwordHasher }),
    closing,
  });
  const { audit } = services.shared;
  const needsCertificate = tls.enabled && at.authenticated !== undefined;
  const certificateOf = async ({ tls: { files } }: Configuration) =>
    needsCertificate
      ? findCertificate(files, directory, clock.now(), (warning) => logger.warn(warning))
      : undefined;
  const certificate = await certificateOf(configuration);
  let certificateEnds = certificate && endOf(certificate);
  const events = await openEvents(
    services,
    at.events,
    () => gate,
    () => configuration.limits,
    closing,
  );
  startPruning(services, closing);
  if (servesSample(configuration))
    logger.info('the events are the bundled sample: connect your recorder (docs/recorder.md)');
  if (configuration.auth.enabled)
    await announceAdmin(services, options, configuration.auth.resetAdminPassword);

  const filesOf = ({ recorder }: Configuration) => ({
    jwtSecret: jwtSecretFor(configuration)(environment, directory).secret,
    recorderCertificate: recorder.certificate && readRecorderCertificate(recorder.certificate),
  });
  const apply = (changed: Configuration, files: RuntimeFiles) => {
    gate = createRuntime(changed, files, services, context);
    configuration = changed;
    reloads.apply(changed);
  };
  const context = {
    events,
    current: () => gate,
    certificateEnds: () => certificateEnds,
    check: (text: string) => {
      const changed = keepListeners(options.readConfiguration(text), configuration).configuration;
      const files = filesOf(changed);
      return () => apply(changed, files);
    },
  };
  const files = { ...filesOf(configuration), jwtSecret: jwtSecretOf(options) };
  let gate = createRuntime(configuration, files, services, context);
  const listeners = await openListeners({
    ...services.shared,
    listen: at,
    certificate,
    gate: () => gate,
  });

  return {
    addresses: { events, ...listeners.addresses },
    reloads,
    reload: async (wanted) => {
      const { configuration: changed, waiting } = keepListeners(wanted, configuration);
      const renewed = await certificateOf(changed);
      const changedFiles = filesOf(changed);
      if (renewed !== undefined) {
        listeners.renew(renewed);
        certificateEnds = endOf(renewed);
      }
      apply(changed, changedFiles);
      return waiting;
    },
    recordStart: () =>
      audit.record({ event: 'started', source: 'system', detail: { hash: reloads.read().hash } }),
    recordReload: () => audit.keep(reloadEntry(reloads.read())),
    files: () => [
      ...Object.values(configuration.tls.files ?? {}),
      ...(configuration.recorder.certificate === undefined ? [] : [configuration.recorder.certificate]),
      ...jwtSecretFiles(environment, directory),
    ],
    close: async (patience = 0) => {
      // Whoever faces clients or fronts first, since they still need the rest.
      await listeners.close(patience);
      await closing.disposeAsync();
    },
  };
}

/** @returns where the events app listens */
async function openEvents(
  { shared: { logger, audit, tallies, roundRobin }, database }: Services,
  at: ListenAddress | undefined,
  gate: () => Runtime,
  limits: () => Limits,
  closing: AsyncDisposableStack,
): Promise<string> {
  const app = createEventsApp({
    database,
    roundRobin,
    logger,
    grantOf: (role) => grantOf(role, gate().settings.rules.customRoles),
    onRefused: (refused) => void audit.record(refusedLookup(refused, gate().settings.isTrustedProxy)),
    errorPage: (error, incoming) => eventsErrorPage(error, incoming, gate().settings),
  });
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer(
    { ...serverOptions, maxHeaderSize },
    (request, response) => void answer(request, response),
  );
  guardConnections(server, limits, (fault) => (tallies.limited[fault] += 1));
  const listening = await listen(server, at ?? privateSocket(closing), listenerKeys.events);
  closing.defer(() => listening.close());
  return listening.address;
}

/** Whoever the gate or another front let pass: each of them says below which prefix the client is. */
function eventsErrorPage(
  error: AppError,
  incoming: IncomingMessage,
  settings: Settings,
): Response | undefined {
  const facts = { entryPoint: 'authenticated', listener: 'relay', tls: false } as const;
  const { reader } = recipientOf({ incoming, ...facts }, settings);
  if (reader === undefined) return undefined;
  const { status, headers, body } = errorResponse(error, reader);
  return new Response(body, { status, headers });
}

function privateSocket(closing: AsyncDisposableStack): ListenAddress {
  const directory = mkdtempSync(join(tmpdir(), 'postern-'));
  closing.defer(() => rmSync(directory, { recursive: true, force: true }));
  return { path: join(directory, 'events.sock') };
}

/** A decision had let it pass; what it asked for was found out in the events app. */
function refusedLookup(
  { user, role, forwardedFor, path }: RefusedLookup,
  isTrustedProxy: InNetworks,
): AuditEntry {
  const hops = { peer: undefined, behindFront: true, forwardedFor: [forwardedFor] };
  const address = clientAddress(hops, isTrustedProxy);
  return { event: 'refused', reason: 'camera_not_granted', user, role, address, object: path };
}

function jwtSecretFor({ store }: Configuration): typeof findJwtSecret {
  return store.url === undefined ? findJwtSecret : sharedJwtSecret;
}

/** @returns the secret, after the log has said where it comes from */
function jwtSecretOf({ configuration, environment, directory, logger }: AppOptions): string {
  const { secret, source, isNew, isShort } = jwtSecretFor(configuration)(environment, directory);
  if (isNew) logger.info({ source }, 'made a JWT secret');
  if (isShort) logger.warn({ source }, 'the JWT secret is short: at least 64 characters are recommended');
  return secret;
}

async function announceAdmin(
  { shared: { users, logger, audit } }: Services,
  { log, passwordHasher }: AppOptions,
  reset: boolean,
): Promise<void> {
  const hasher = createPasswordHasher({ derive: deriveInPool, ...passwordHasher });
  const bootstrapped = await bootstrapAdmin(users, hasher, reset);
  if (bootstrapped === undefined) return;
  const { done, password, apiTokensEnded } = bootstrapped;
  // The one secret that the log ever holds: there is no other way to hand it over.
  const announce = () => logger.warn(`********** ${done} user "admin", password: ${password} **********`);
  const droppedBefore = log.dropped();
  announce();
  if (log.dropped() > droppedBefore) {
    const announceAgain = async () => {
      if (await users.isGeneratedPasswordUnused().catch(() => true)) announce();
    };
    log.onceRecovered(() => void announceAgain());
  }
  await audit.record({
    event: 'admin_password_generated',
    source: 'system',
    object: 'admin',
    detail: { done, api_tokens_ended: apiTokensEnded },
  });
  if (reset)
    logger.warn(
      { api_tokens_ended: apiTokensEnded },
      'take auth.reset_admin_password out again: every start resets the password of admin, and ends its sessions and API tokens',
    );
}
