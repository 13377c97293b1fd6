import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { systemClock, type Clock } from '../../src/clock.ts';
import { deriveInPool } from '../../src/accounts/users/key-derivation.ts';
import { startApp, type App } from '../../src/gate/app.ts';
import type { Configuration } from '../../src/config/configuration.ts';
import { appliedFile } from '../../src/config/applied-text.ts';
import { configurationReader, loadConfiguration } from '../../src/config/load.ts';
import { createReloading, type Reloading } from '../../src/gate/reload.ts';
import { createLogger } from '../../src/telemetry/logger.ts';

export const projectRoot = join(import.meta.dirname, '..', '..');

export interface RunningGateway {
  readonly directory: string;
  /** Where each listener is: `host:port` or `unix:/path`. */
  readonly addresses: App['addresses'];
  /** Log lines at every level, parsed. */
  readonly log: ReadonlyArray<Readonly<Record<string, unknown>>>;
  /** Reads the files again, as the process does when one changes. */
  readonly reloading: Reloading;
  close(): Promise<void>;
}

export interface GatewayOptions {
  /** The document of config.yml; listeners get free ports and sockets unless it sets them. */
  readonly config?: Record<string, unknown>;
  readonly trustedHeadersFile?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** Of password hashes: few, unless the test is about what they cost. */
  readonly passwordIterations?: number;
  /** Called when a password is to be hashed, as of the first account at a first start; awaited before it is. */
  readonly onHash?: () => Promise<void>;
  /** A configuration directory that stays; without one there is a new one each time. */
  readonly directory?: string;
  /** Uses the config.yml that is in the directory. */
  readonly keepConfig?: true;
  /** Serves the sample, as a fresh start does, in place of `recorded`. */
  readonly sample?: true;
}

/** A recorder's file with events that stay the same. */
const recorded = join(projectRoot, 'test', 'support', 'recorder.db');

/** @returns the configuration with the events of `recorded`, unless it names others */
export function withRecorded(configuration: Configuration): Configuration {
  return { ...configuration, eventsDatabase: configuration.eventsDatabase ?? recorded };
}

/** The whole program with a configuration directory of its own, on free ports and Unix sockets. */
export async function startGateway(options: GatewayOptions = {}): Promise<RunningGateway> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'postern-test-'));
  const networking = {
    listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' },
    forward_auth: {
      authenticated: `unix:${directory}/authenticated.sock`,
      internal: `unix:${directory}/internal.sock`,
    },
    relay: {
      authenticated: `unix:${directory}/relay-authenticated.sock`,
      internal: `unix:${directory}/relay-internal.sock`,
    },
  };
  if (!options.keepConfig) {
    writeFileSync(join(directory, 'config.yml'), stringify({ networking, ...options.config }));
    // A configuration that a test gives is whole, whatever the start before had.
    rmSync(appliedFile(directory), { force: true });
  }
  const environment = {
    SERVICE_CONFIG_DIR: directory,
    SERVICE_TRUSTED_HEADERS_FILE:
      options.trustedHeadersFile ?? join(projectRoot, 'proxy_trusted_headers.conf'),
    ...options.environment,
  };
  const { onHash } = options;
  const log: Array<Record<string, unknown>> = [];
  const logger = createLogger('debug', {
    write: (line) => void log.push(JSON.parse(line) as Record<string, unknown>),
  });
  const withEvents = options.sample ? (configuration: Configuration) => configuration : withRecorded;
  const read = configurationReader(environment, projectRoot, 'config.yml');
  const configuration = withEvents(loadConfiguration(environment, projectRoot).configuration);
  const app = await startApp({
    configuration,
    directory,
    environment,
    readConfiguration: (text) => withEvents(read(text)),
    logger,
    log: { dropped: () => 0, onceRecovered: () => undefined },
    clock: options.clock ?? systemClock,
    passwordHasher: {
      iterations: options.passwordIterations ?? 1_000,
      ...(onHash && { derive: async (work) => onHash().then(() => deriveInPool(work)) }),
    },
  });
  const reloading = createReloading({
    running: configuration,
    read: () => withEvents(loadConfiguration(environment, projectRoot).configuration),
    app,
    logger,
  });
  return {
    directory,
    addresses: app.addresses,
    log,
    reloading,
    close: async () => {
      await app.close();
      if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}
