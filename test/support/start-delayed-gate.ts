import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import type { PasswordHasher } from '../../src/accounts/users/password-hash.ts';
import { configurationReader } from '../../src/config/load.ts';
import { createReloadRecord } from '../../src/config/reload-report.ts';
import { createCurrent } from '../../src/gate/current.ts';
import { createApiTokens, type ApiTokens } from '../../src/features/api-tokens/api-tokens.ts';
import { createPairingCodes, type PairingCodes } from '../../src/features/displays/pairing-codes.ts';
import { loadFeatures } from '../../src/features/index.ts';
import { createRuntime, type Runtime } from '../../src/gate/runtime.ts';
import { openServices, type Services } from '../../src/gate/services.ts';
import type { Permit } from '../../src/store/permit.ts';
import type { Store } from '../../src/store/store.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { temporaryDirectory, temporaryStore } from '../unit/store/temporary-store.ts';
import { projectRoot, withRecorded } from './start-gateway.ts';

/** `change`: before the transaction begins; `changed`: after its commit. */
export type Place = 'hash' | 'verify' | 'change' | 'changed';

export interface DelayedGate {
  /** `host:port` of the authenticated entry point, without TLS. */
  readonly address: string;
  /** What the gate works with, without any delay. */
  readonly services: Pick<Services['foundation'], 'clock'> &
    Pick<Store, 'change'> &
    Pick<Services['accounts'], 'users' | 'factors' | 'changeLimit'> &
    Pick<Services['sessions'], 'revocations'>;
  readonly apiTokens: ApiTokens;
  readonly pairingCodes: PairingCodes;
  readonly log: ReadonlyArray<Readonly<Record<string, unknown>>>;
  /** Lets the next that comes to a place wait there. */
  delay(place: Place): { readonly reached: Promise<void>; readonly release: () => void };
  /** Applies another configuration or JWT secret. */
  reload(config: object, jwtSecret?: string): void;
  /** Writes config.yml, which is not read. */
  edit(config: object): void;
  /** Moves the clock on, by seconds. */
  advance(seconds: number): void;
  /** All that changes of accounts may change. */
  kept(): Promise<unknown>;
}

export const jwtSecret = 'a secret of more than enough characters '.repeat(2);

/** @returns the hash that a password has here */
export const hashOf = (password: string) => `plain:${password}`;

/** A gate whose requests wait where and as long as a test decides. It is closed with the test. */
export async function startDelayedGate(config: object): Promise<DelayedGate> {
  const directory = temporaryDirectory();
  const file = join(directory, 'config.yml');
  const environment = { SERVICE_TRUSTED_HEADERS_FILE: join(projectRoot, 'proxy_trusted_headers.conf') };
  const parse = configurationReader(environment, projectRoot, 'config.yml');
  const read = (text: string) => withRecorded(parse(text));
  writeFileSync(file, stringify(config));
  const configuration = read(stringify(config));
  const current = createCurrent<Runtime>(configuration);
  let time = Date.now();
  const clock = { now: () => time };
  const log: Array<Record<string, unknown>> = [];
  const logger = createLogger('debug', {
    write: (line) => void log.push(JSON.parse(line) as Record<string, unknown>),
  });
  const closing = new AsyncDisposableStack();
  onTestFinished(() => closing.disposeAsync());
  const reloads = createReloadRecord(configuration, clock);
  const loaded = await loadFeatures(configuration.features);
  const services = await openServices(
    { current, directory, logger, log: { dropped: () => 0 }, clock, reloads, closing },
    loaded,
  );

  const barriers = new Map<Place, () => Promise<void>>();
  const pass = async (place: Place) => {
    const wait = barriers.get(place);
    barriers.delete(place);
    await wait?.();
  };
  const delayed = delaying(pass);
  const { foundation, accounts, sessions } = services;
  const { store, activity } = foundation;
  const delayedParts = {
    foundation: { ...foundation, store: delayed(store) },
    accounts: {
      ...accounts,
      hasher: plainHasher(pass),
      users: delayed(accounts.users),
      firstRun: delayed(accounts.firstRun),
      emails: delayed(accounts.emails),
      factors: delayed(accounts.factors),
    },
    sessions: { ...sessions, revocations: delayed(sessions.revocations) },
    recorder: services.recorder,
  };
  const delayedServices: Services = {
    ...services,
    ...delayedParts,
    features: loaded.create(delayedParts),
  };

  let secret = jwtSecret;
  const files = () => ({
    jwtSecret: secret,
    storeKey: 'a key of the tests',
    recorderCertificate: undefined,
    housePicture: undefined,
    certificate: undefined,
  });
  function apply(changed: typeof configuration) {
    const runtime = createRuntime(changed, files(), delayedServices, context);
    current.become(changed, runtime);
    runtime.start();
  }
  const context = {
    events: 'unix:/nowhere',
    current: current.runtime,
    readConfiguration: read,
    check: (text: string) => {
      const changed = read(text);
      return () => apply(changed);
    },
  };
  apply(configuration);
  foundation.roleReading.onChange(() => apply(current.configuration()));
  const server = createServer((request, response) =>
    current.runtime().front('authenticated', false).own(request, response),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.defer(() => void server.close());

  const other = await temporaryStore(directory);
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    services: {
      clock,
      change: store.change,
      users: accounts.users,
      factors: accounts.factors,
      changeLimit: accounts.changeLimit,
      revocations: sessions.revocations,
    },
    apiTokens: createApiTokens(store, { clock, storeVersion: () => Number.NaN }),
    pairingCodes: createPairingCodes(activity, clock),
    log,
    delay: (place) => {
      const reached = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      barriers.set(place, () => {
        reached.resolve();
        return released.promise;
      });
      return { reached: reached.promise, release: released.resolve };
    },
    reload: (changed, anotherSecret = secret) => {
      secret = anotherSecret;
      apply(read(stringify(changed)));
    },
    edit: (changed) => writeFileSync(file, stringify(changed)),
    advance: (seconds) => void (time += seconds * 1_000),
    kept: async () => ({
      users: await other.selectFrom('users').selectAll().orderBy('username').execute(),
      apiTokens: await other.selectFrom('api_tokens').selectAll().orderBy('token_id').execute(),
      invitations: await other.selectFrom('invitations').selectAll().orderBy('invitation_id').execute(),
      customRoles: await other.selectFrom('custom_roles').selectAll().orderBy('name').execute(),
      shares: await other.selectFrom('shares').selectAll().orderBy('share_id').execute(),
      revoked: await other.selectFrom('revoked_sessions').selectAll().orderBy('session_id').execute(),
      firstRun: await other.selectFrom('first_run').selectAll().orderBy('fact').execute(),
      passkeys: await other.selectFrom('passkeys').selectAll().orderBy('credential_id').execute(),
      pushes: await other.selectFrom('push_subscriptions').selectAll().execute(),
      requests: await other.selectFrom('access_requests').selectAll().execute(),
      oneTimeCodes: await other.selectFrom('one_time_codes').selectAll().orderBy('username').execute(),
      recoveryCodes: await other.selectFrom('recovery_codes').selectAll().orderBy('code_hash').execute(),
      config: readFileSync(file, 'utf8'),
    }),
  };
}

const changing = new Set<string | symbol>([
  'add',
  'addPasskey',
  'answer',
  'approve',
  'ask',
  'block',
  'change',
  'end',
  'endSessions',
  'makeRecoveryCodes',
  'note',
  'reassignRole',
  'remove',
  'removeOneTimeCode',
  'removePasskey',
  'resetFactors',
  'revoke',
  'set',
  'setOneTimeCode',
  'setPassword',
  'setRole',
  'unblock',
]);

type Changing = (...args: ReadonlyArray<Permit | string>) => Promise<unknown>;

/** @returns what lets every change of something wait, before and after */
function delaying(pass: (place: Place) => Promise<void>) {
  return <T extends object>(whole: T): T =>
    new Proxy(whole, {
      get: (target, name) => {
        const found: unknown = Reflect.get(target, name);
        // Kysely's own methods need their own object.
        if (!changing.has(name)) return typeof found === 'function' ? (found.bind(target) as unknown) : found;
        const change: Changing = async (...args) => {
          await pass('change');
          const result = await (found as Changing)(...args);
          await pass('changed');
          return result;
        };
        return change;
      },
    });
}

function plainHasher(pass: (place: Place) => Promise<void>): PasswordHasher {
  return {
    requireRoom: () => undefined,
    hash: async (password) => {
      await pass('hash');
      return hashOf(password);
    },
    verify: async (password, hash) => {
      await pass('verify');
      return { matches: hash === hashOf(password), outdated: false };
    },
  };
}
