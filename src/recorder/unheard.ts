import type { RecorderAnswer } from './recorder-client.ts';
import { speaksTls } from './speaks-tls.ts';

/** Why there is no readable response of the recorder. Operators search for these words. */
export const unheardReasons = {
  no_answer: 'the recorder does not answer at upstream',
  speaks_tls:
    "the port at upstream speaks TLS: set tls.enabled: false in the recorder's own configuration, or begin upstream with https://",
  speaks_no_tls: 'the port at upstream does not speak TLS: begin upstream with http://',
  certificate_unknown:
    "the certificate at upstream is not one that this machine trusts: name its file in recorder.certificate, or set tls.enabled: false in the recorder's own configuration",
  asks_for_login:
    "the recorder has its own login on at this port: set auth.enabled: false in the recorder's own configuration; if proxy.auth_secret is set there, recorder.auth_secret must be the same",
  error_status: 'the recorder answers with an error; the detail is its status',
} as const;

export type UnheardReason = keyof typeof unheardReasons;

// What Node reports of a certificate, and of a plain HTTP response to a TLS handshake.
const certificateErrors = /CERT|UNABLE_TO_|another certificate/;
const plainAnswers = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/;

/** @param silence why there is no answer, as `askWithTimeout` returns it */
export function reasonOf(silence: string): UnheardReason {
  if (silence === speaksTls) return 'speaks_tls';
  if (plainAnswers.test(silence)) return 'speaks_no_tls';
  return certificateErrors.test(silence) ? 'certificate_unknown' : 'no_answer';
}

/** @returns why a response cannot be read; undefined: its status is 200 */
export function refusalOf({ status, location = '' }: RecorderAnswer): UnheardReason | undefined {
  if (status === 200) return undefined;
  const leadsToLogin = status >= 300 && status < 400 && /\/login\/?(?:[?#]|$)/.test(location);
  return status === 401 || leadsToLogin ? 'asks_for_login' : 'error_status';
}
