import { isDeepStrictEqual } from 'node:util';
import type { Clock, Timers } from '../clock.ts';
import { everyoneIsAdmin } from '../config/resolve-recorder.ts';
import type { Logger } from '../telemetry/logger.ts';
import {
  readConfigurationAnswer,
  unreadReasons,
  type ConfigurationRead,
  type RecorderConfiguration,
  type UnreadReason,
} from './configuration-answer.ts';
import type { Recorder, RecorderConnection } from './connect-recorder.ts';
import { isEveryoneAdmin } from './role-answers.ts';
import { createRounds, type Pauses } from './rounds.ts';
import { reasonOf, askWithTimeout } from './recorder-client.ts';

/** The recorder's own configuration as last read, and the result of the last attempt. */
interface RecorderKnowledge {
  /** Absent until a recorder has responded. It stays until a better response arrives. */
  readonly configuration: RecorderConfiguration | undefined;
  /** When it was last read, in milliseconds since the epoch. */
  readonly heardAt: number | undefined;
  /** Why the last attempt failed. Absent when it succeeded, or is still under way. */
  readonly fault: UnreadReason | undefined;
  /** Whether the recorder treats everyone as an admin on this port. Absent until it is known. */
  readonly isEveryoneAdmin: boolean | undefined;
}

/** Reads the recorder's own configuration at intervals. */
export interface ConfigurationReading {
  /** Reads this recorder from now on, starting at once. Answers of another recorder no longer count. */
  read(recorder: Recorder | undefined): void;
  /** The same object as long as the configuration is the same. */
  configuration(): RecorderConfiguration | undefined;
  /** @returns `undefined` if there is no recorder to ask */
  knowledge(): RecorderKnowledge | undefined;
  /** The recorder may have changed: reads again, a second after the last time at the earliest. */
  askAgain(): void;
  close(): void;
}

export interface ConfigurationReadingOptions {
  readonly connect: (
    recorder: Recorder,
  ) => Pick<RecorderConnection, 'askConfiguration' | 'askProfile' | 'close'>;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Called with each configuration that was read and differs from the one before. */
  readonly onRead?: (configuration: RecorderConfiguration) => void;
}

// Milliseconds. The first one is documented in docs/recorder.md.
const interval = 300_000;
const timeoutMs = 5_000;
const afterFailure = 1_000;
const longestPause = 60_000;

export function createConfigurationReading(options: ConfigurationReadingOptions): ConfigurationReading {
  const { connect, timers, clock, logger, onRead } = options;
  const logNews = logChanges(logger);
  let recorder: Recorder | undefined;
  let connection: ReturnType<typeof connect> | undefined;
  let knowledge: RecorderKnowledge = nothing;
  let failures = 0;
  const round = async (asked: NonNullable<typeof connection>): Promise<Pauses | undefined> => {
    const told = await askWithTimeout(timers, timeoutMs, (signal) => asked.askConfiguration(signal));
    if (connection === undefined) return undefined;
    if (asked !== connection) return { regular: 0, early: 0 };
    const read: ConfigurationRead =
      'silence' in told
        ? { fault: reasonOf(told.silence), detail: told.silence }
        : readConfigurationAnswer(told.answer);
    const profile =
      'silence' in told
        ? undefined
        : await askWithTimeout(timers, timeoutMs, (signal) => asked.askProfile('viewer', signal));
    if (connection === undefined) return undefined;
    if (asked !== connection) return { regular: 0, early: 0 };
    const isOpen =
      profile !== undefined && 'answer' in profile
        ? isEveryoneAdmin(profile.answer, 'viewer')
        : knowledge.isEveryoneAdmin;
    if (isOpen === true && knowledge.isEveryoneAdmin !== true)
      logger.warn(`everybody_is_admin: ${everyoneIsAdmin}`);
    const former = knowledge.configuration;
    knowledge = { ...learn(knowledge, read, clock.now()), isEveryoneAdmin: isOpen };
    logNews(knowledge, read, clock.now());
    const { configuration } = knowledge;
    if (configuration !== undefined && configuration !== former) onRead?.(configuration);
    failures = 'fault' in read ? failures + 1 : 0;
    const pause = Math.min(longestPause, afterFailure * 2 ** Math.min(failures - 1, 10));
    return { regular: failures > 0 ? pause : interval, early: afterFailure };
  };
  const rounds = createRounds(timers, () => connection && round(connection));

  return {
    read: (wanted) => {
      if (!isDeepStrictEqual(wanted, recorder)) {
        connection?.close();
        connection = wanted && connect(wanted);
        if (!isDeepStrictEqual(wanted?.address, recorder?.address)) knowledge = nothing;
        failures = 0;
      }
      recorder = wanted;
      if (connection === undefined) rounds.stop();
      else rounds.soon(failures > 0 ? afterFailure : 0);
    },
    configuration: () => knowledge.configuration,
    knowledge: () => (recorder === undefined ? undefined : knowledge),
    askAgain: () => {
      if (connection !== undefined) rounds.soon(afterFailure);
    },
    close: () => {
      rounds.stop();
      connection?.close();
      connection = undefined;
    },
  };
}

const nothing: RecorderKnowledge = {
  configuration: undefined,
  heardAt: undefined,
  fault: undefined,
  isEveryoneAdmin: undefined,
};

function learn(known: RecorderKnowledge, read: ConfigurationRead, now: number): RecorderKnowledge {
  if ('fault' in read) return { ...known, fault: read.fault };
  const isSame =
    known.configuration !== undefined &&
    isDeepStrictEqual(withOrder(read.configuration), withOrder(known.configuration));
  const configuration = isSame ? known.configuration : read.configuration;
  return { ...known, configuration, heardAt: now, fault: undefined };
}

/** Maps are compared without their order, which pages show. */
function withOrder(configuration: RecorderConfiguration) {
  return [configuration, [...configuration.cameras.keys()], [...configuration.groups.keys()]];
}

/** @returns logs what has changed since the last call */
function logChanges(
  logger: ConfigurationReadingOptions['logger'],
): (known: RecorderKnowledge, read: ConfigurationRead, now: number) => void {
  let told: RecorderConfiguration | UnreadReason | undefined;
  return ({ configuration, heardAt, fault }, read, now) => {
    const word = fault ?? configuration;
    if (word === told) return;
    told = word;
    if (fault === undefined && configuration !== undefined) {
      const cameras = [...configuration.cameras.keys()];
      logger.info({ cameras }, 'the recorder has sent its cameras and their live streams');
      return;
    }
    if (fault === undefined) return;
    const age = heardAt === undefined ? undefined : Math.round((now - heardAt) / 1_000);
    logger.warn(
      { reason: fault, detail: 'detail' in read ? read.detail : undefined, ageSeconds: age },
      `the recorder's cameras and live streams were not read: ${unreadReasons[fault]}${age === undefined ? '' : '; the previous ones stay'}`,
    );
  };
}
