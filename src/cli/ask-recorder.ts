import type { Configuration } from '../config/configuration.ts';
import { readRecorderCertificate } from '../recorder/recorder-certificate.ts';

/** Asks the recorder of a configuration once what it has. @returns undefined when there is none */
export async function askRecorderOf(configuration: Configuration) {
  if (configuration.upstream === undefined) return undefined;
  // Most commands ask nobody, and need not wait for what it takes to be loaded.
  const { askRecorder } = await import('../recorder/ask-recorder.ts');
  const { certificate } = configuration.recorder;
  return askRecorder(configuration, certificate && readRecorderCertificate(certificate));
}
