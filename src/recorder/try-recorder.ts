import { isPlainObject, readJson } from '../policy/json.ts';
import { readConfigurationAnswer, unreadReasons, type ConfigurationRead } from './configuration-answer.ts';
import {
  headersOf,
  longestConfiguration,
  type Recorder,
  connectRecorder,
  recorderAt,
} from './connect-recorder.ts';
import { isEveryoneAdmin, roleIn } from './role-answers.ts';
import { createRecorderClient, tooLong, reasonOf, refusalOf, askWithTimeout } from './recorder-client.ts';
import { type Timers, systemTimers } from '../clock.ts';
import type { Configuration } from '../config/configuration.ts';

/** Why an address cannot be used as the recorder. Operators search for these words. */
export const trialFaults = {
  ...unreadReasons,
  is_gate: 'a gate answers there, and no recorder: requests would go round in circles',
} as const;

export type TrialFault = keyof typeof trialFaults;

interface FoundRecorder {
  readonly cameras: readonly string[];
  readonly version: string | undefined;
  /** On this port, the recorder treats everyone as an admin. */
  readonly isEveryoneAdmin: boolean;
}

/** The result for an address. It contains only names of a recorder, because the gate may reach more than its admins. */
export type RecorderTrial = { readonly fault: TrialFault } | FoundRecorder;

// Milliseconds, for all requests together.
const trialTimeoutMs = 8_000;

const shortAnswer = 4_096;

/** Asks an address what it is, by a few paths that change nothing. Redirects are not followed. */
export async function tryRecorder(
  { address, authSecret }: Recorder,
  timers: Timers,
  timeoutMs = trialTimeoutMs,
): Promise<RecorderTrial> {
  const client = createRecorderClient(address);
  const headers = headersOf('admin', authSecret);
  try {
    const told = await askWithTimeout(timers, timeoutMs, async (signal): Promise<RecorderTrial> => {
      const read = readConfigurationAnswer(
        await client.get('/api/config', headers, signal, longestConfiguration),
      );
      if ('fault' in read) return { fault: read.fault };
      const gate = await client.get('/postern/api/version', headers, signal);
      if (gate.status === 200 && isPlainObject(readJson(gate.body))) return { fault: 'is_gate' };
      const profile = await client.get('/api/profile', headers, signal);
      const refusal = refusalOf(profile);
      if (refusal === 'asks_for_login') return { fault: refusal };
      const version = await client.get('/api/version', headers, signal, shortAnswer);
      return {
        cameras: [...read.configuration.cameras.keys()],
        version: version.status === 200 && /^[\w.+-]{1,64}$/.test(version.body) ? version.body : undefined,
        isEveryoneAdmin: isEveryoneAdmin(profile, 'admin'),
      };
    });
    if ('answer' in told) return told.answer;
    return { fault: told.silence === tooLong ? 'too_large' : reasonOf(told.silence) };
  } finally {
    client.close();
  }
}

export interface RecorderSays {
  readonly read: ConfigurationRead;
  /** The role that it understood when the gate named `admin`; `undefined` when it told none. */
  readonly roleForAdmin: string | undefined;
  /** On this port, the recorder treats everyone as an admin. */
  readonly isEveryoneAdmin: boolean;
}

// Milliseconds.
const timeoutMs = 5_000;

/**
 * Asks a recorder once for its configuration.
 * @param certificate as for `recorderAt`
 * @returns `undefined` without a recorder
 */
export async function askRecorder(
  configuration: Pick<Configuration, 'upstream' | 'recorder'>,
  certificate: string | undefined,
): Promise<RecorderSays | undefined> {
  const recorder = recorderAt(configuration, certificate);
  if (recorder === undefined) return undefined;
  const connection = connectRecorder(recorder);
  try {
    const told = await askWithTimeout(systemTimers, timeoutMs, connection.askConfiguration);
    if ('silence' in told)
      return {
        read: { fault: reasonOf(told.silence), detail: told.silence },
        roleForAdmin: undefined,
        isEveryoneAdmin: false,
      };
    const profile = await askWithTimeout(systemTimers, timeoutMs, (signal) =>
      connection.askProfile('admin', signal),
    );
    return {
      read: readConfigurationAnswer(told.answer),
      roleForAdmin: 'answer' in profile ? roleIn(profile.answer) : undefined,
      isEveryoneAdmin: 'answer' in profile && isEveryoneAdmin(profile.answer, 'admin'),
    };
  } finally {
    connection.close();
  }
}
