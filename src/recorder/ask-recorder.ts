import { readConfigurationAnswer, type ConfigurationRead } from './configuration-answer.ts';
import type { Configuration } from '../config/configuration.ts';
import { connectRecorder } from './connect-recorder.ts';
import { isEveryoneAdmin } from './profile-answer.ts';
import { recorderAt } from './recorder-at.ts';
import { systemTimers } from '../clock.ts';
import { reasonOf } from './unheard.ts';
import { askWithTimeout } from './ask-with-timeout.ts';

interface RecorderSays {
  readonly read: ConfigurationRead;
  /** On this port, the recorder takes everyone for an admin. */
  readonly isEveryoneAdmin: boolean;
}

// Milliseconds.
const timeoutMs = 5_000;

/**
 * Asks a recorder once what it has.
 * @param certificate as for `recorderAt`
 * @returns undefined without a recorder
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
      return { read: { fault: reasonOf(told.silence), detail: told.silence }, isEveryoneAdmin: false };
    const profile = await askWithTimeout(systemTimers, timeoutMs, (signal) =>
      connection.askProfile('admin', signal),
    );
    return {
      read: readConfigurationAnswer(told.answer),
      isEveryoneAdmin: 'answer' in profile && isEveryoneAdmin(profile.answer, 'admin'),
    };
  } finally {
    connection.close();
  }
}
