import { isDeepStrictEqual } from 'node:util';
import type { Document } from 'yaml';
import {
  createConfigurationFile,
  mapAt,
  sectionAt,
  type CheckConfiguration,
} from '../config/configuration-file.ts';
import type { Configuration } from '../config/configuration.ts';
import { originOf } from '../config/resolve-recorder.ts';
import { parseYaml } from '../config/yaml.ts';
import { AppError } from '../errors.ts';
import type { Change, Permit } from '../store/permit.ts';
import { type Recorder, recorderAt } from './connect-recorder.ts';
import { systemTimers } from '../clock.ts';
import { tryRecorder, type RecorderTrial } from './try-recorder.ts';

interface FoundDatabase {
  readonly path: string;
  /** config.yml names a database: it waits for a restart. */
  readonly isWritten: boolean;
}

export interface RecorderAddress {
  /** Absent when there is none. */
  readonly current: string | undefined;
  /** Tries addresses at once, and no others meanwhile. @returns a trial of each @throws AppError `too_many_requests` */
  try(addresses: readonly string[]): Promise<readonly RecorderTrial[]>;
  /** A recorder's database that can be read, while none is configured. */
  findDatabase(): FoundDatabase | undefined;
  /** Whether the next request would send `recorder.auth_secret` to a server that does not have it yet. */
  wouldTellSecret(address: string): boolean;
  /** Writes it, and `events.database` where one is found, and applies it: later requests go there. @throws AppError `configuration_read_only`, ConfigurationError, and what the permit throws */
  set(address: string, permit: Permit): Promise<void>;
}

/** How a new address gets into config.yml. */
interface Writing {
  readonly change: Change;
  /** The directory of config.yml. */
  readonly directory: string;
  /** As for `createConfigurationFile`. */
  readonly check: CheckConfiguration;
  /** @returns the path of a recorder's database that can be read */
  readonly findDatabase: () => string | undefined;
}

/** @param configured the recorder of this configuration: only it gets the secret */
export function recorderAddressOf(
  {
    upstream,
    recorder,
    eventsDatabase,
    source,
  }: Pick<Configuration, 'upstream' | 'eventsDatabase' | 'source'> & {
    readonly recorder: Pick<Configuration['recorder'], 'authSecret'>;
  },
  configured: Recorder | undefined,
  { change, directory, check, findDatabase }: Writing,
): RecorderAddress {
  const file = createConfigurationFile(directory, check);
  let isTrying = false;
  return {
    current: upstream,
    findDatabase: () => {
      if (eventsDatabase !== undefined) return undefined;
      const written = databaseIn(parseYaml(source ?? ''));
      if (written !== undefined) return { path: written, isWritten: true };
      const path = findDatabase();
      return path === undefined ? undefined : { path, isWritten: false };
    },
    try: async (addresses) => {
      if (isTrying) throw new AppError('too_many_requests', { retryAfterSeconds: 1 });
      isTrying = true;
      try {
        return await Promise.all(
          addresses.map((address) => tryRecorder(asked(address, configured), systemTimers)),
        );
      } finally {
        isTrying = false;
      }
    },
    wouldTellSecret: (address) => recorder.authSecret !== undefined && originOf(address) !== upstream,
    set: (address, permit) =>
      change(permit, (_, { requireProof }) => {
        requireProof();
        const path = eventsDatabase === undefined ? findDatabase() : undefined;
        return file.change('recorder connected', (document) => {
          document.set('upstream', originOf(address));
          if (path !== undefined && databaseIn(document) === undefined)
            sectionAt(document, ['events']).set('database', path);
        });
      }),
  };
}

function databaseIn(document: Document): string | undefined {
  const written: unknown = mapAt(document, ['events'])?.get('database');
  return typeof written === 'string' ? written : undefined;
}

function asked(address: string, configured: Recorder | undefined): Recorder {
  const upstream = originOf(address);
  const plain = recorderAt({ upstream, recorder: noSecret }, undefined);
  if (plain === undefined) throw new Error('there is no address');
  const isConfigured = configured !== undefined && isDeepStrictEqual(placeOf(configured), placeOf(plain));
  return isConfigured ? configured : plain;
}

const noSecret = {
  authSecret: undefined,
  certificate: undefined,
  checkInterval: 0,
  manageRoles: false,
} as const;

function placeOf({ address }: Recorder): string {
  return 'socketPath' in address ? `unix:${address.socketPath}` : address.origin;
}
