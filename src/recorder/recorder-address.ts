import { isDeepStrictEqual } from 'node:util';
import { createConfigurationFile, type CheckConfiguration } from '../config/configuration-file.ts';
import type { Configuration } from '../config/configuration.ts';
import { originOf } from '../config/resolve-recorder.ts';
import { AppError } from '../errors.ts';
import type { Change, Permit } from '../store/permit.ts';
import { type Recorder, recorderAt } from './connect-recorder.ts';
import { systemTimers } from '../clock.ts';
import { tryRecorder, type RecorderTrial } from './try-recorder.ts';

export interface RecorderAddress {
  /** Absent when there is none. */
  readonly current: string | undefined;
  /** Runs one trial at a time. @throws AppError `too_many_requests` */
  try(address: string): Promise<RecorderTrial>;
  /** Whether the next request would send `recorder.auth_secret` to a server that does not have it yet. */
  wouldTellSecret(address: string): boolean;
  /** Writes it and applies it: later requests go there. @throws AppError `configuration_read_only`, ConfigurationError, and what the permit throws */
  set(address: string, permit: Permit): Promise<void>;
}

/** How a new address gets into config.yml. */
interface Writing {
  readonly change: Change;
  /** The directory of config.yml. */
  readonly directory: string;
  /** As for `createConfigurationFile`. */
  readonly check: CheckConfiguration;
}

/** @param configured the recorder of this configuration: only it gets the secret */
export function recorderAddressOf(
  {
    upstream,
    recorder,
  }: Pick<Configuration, 'upstream'> & { readonly recorder: Pick<Configuration['recorder'], 'authSecret'> },
  configured: Recorder | undefined,
  { change, directory, check }: Writing,
): RecorderAddress {
  const file = createConfigurationFile(directory, check);
  let isTrying = false;
  return {
    current: upstream,
    try: async (address) => {
      if (isTrying) throw new AppError('too_many_requests', { retryAfterSeconds: 1 });
      isTrying = true;
      try {
        return await tryRecorder(asked(address, configured), systemTimers);
      } finally {
        isTrying = false;
      }
    },
    wouldTellSecret: (address) => recorder.authSecret !== undefined && originOf(address) !== upstream,
    set: (address, permit) =>
      change(permit, (_, { requireProof }) => {
        requireProof();
        return file.change((document) => document.set('upstream', originOf(address)));
      }),
  };
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
