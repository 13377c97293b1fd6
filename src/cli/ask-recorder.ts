import type { Configuration } from '../config/configuration.ts';
import { readRecorderCertificate } from '../recorder/recorder-certificate.ts';

/** Asks the recorder of a configuration once. @returns undefined when it names no recorder */
export async function askRecorderOf(configuration: Configuration) {
  if (configuration.upstream === undefined) return undefined;
  // Imported here: most commands do not need it.
  const { askRecorder } = await import('../recorder/ask-recorder.ts');
  const { certificate } = configuration.recorder;
  return askRecorder(configuration, certificate && readRecorderCertificate(certificate));
}
