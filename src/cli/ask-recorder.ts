import type { Configuration } from '../config/configuration.ts';
import { readRecorderCertificate } from '../recorder/upstream-pool.ts';

/** Asks the recorder of a configuration once. @returns undefined when it names no recorder */
export async function askRecorderOf(configuration: Configuration) {
  if (configuration.upstream === undefined) return undefined;
  // Imported here: most commands do not need it.
  const { askRecorder } = await import('../recorder/try-recorder.ts');
  const { certificate } = configuration.recorder;
  return askRecorder(configuration, certificate && readRecorderCertificate(certificate));
}
