import { bodyOf, fetchThroughGate } from './api-client.ts';
import type { Proof } from './login-steps.ts';
import type { PasskeyAnswer, PasskeyOptions } from './passkeys.ts';
import { gatePath } from './path-prefix.ts';

/** Times are seconds since the epoch. */
export interface OwnPasskey {
  readonly id: string;
  readonly name: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
}

/** What a user may log in with. */
export interface SignInMethods {
  readonly password: boolean;
  /** Where the user logs in when it is not here. */
  readonly provider: {
    readonly label: string;
    /** Why the provider could not be asked whether the session may go on. */
    readonly fault: string | null;
    readonly session_ends_at: number;
  } | null;
  readonly passkeys_possible: boolean;
  readonly passkeys: readonly OwnPasskey[];
  readonly one_time_code: { readonly created_at: number } | null;
  readonly recovery_codes_left: number;
  /** Whether the role needs a second factor. */
  readonly required: boolean;
}

/** What an authenticator app needs for one-time codes, which are on once a code of it was sent back. */
export interface CodeSetup {
  readonly secret: string;
  /** `otpauth:` */
  readonly url: string;
  readonly state: string;
}

export interface MadeCodes {
  readonly recovery_codes: readonly string[];
}

/** A factor is a passkey or a one-time code: recovery codes stand in for those. */
export function hasFactor({ passkeys, one_time_code: code }: SignInMethods): boolean {
  return passkeys.length > 0 || code !== null;
}

export const readSignInMethods = () => ask<SignInMethods>('GET', 'sign-in-methods');

export const beginPasskey = () =>
  ask<PasskeyOptions<PublicKeyCredentialCreationOptionsJSON>>('POST', 'passkeys/options', {});
export const addPasskey = (name: string, answer: PasskeyAnswer<RegistrationResponseJSON>) =>
  ask<OwnPasskey>('POST', 'passkeys', { name, ...answer });
export const removePasskey = (id: string) => ask<unknown>('DELETE', `passkeys/${encodeURIComponent(id)}`);

export const beginCode = () => ask<CodeSetup>('POST', 'one-time-code/setup', {});
export const addCode = (state: string, code: string) =>
  ask<MadeCodes>('POST', 'one-time-code', { state, code });
export const removeCode = () => ask<unknown>('DELETE', 'one-time-code');

export const makeRecoveryCodes = () => ask<MadeCodes>('POST', 'recovery-codes', {});

export const stepUpOptions = () =>
  ask<PasskeyOptions<PublicKeyCredentialRequestOptionsJSON>>('POST', 'step-up/passkey-options', {});
export const stepUp = (proof: Proof) => ask<unknown>('POST', 'step-up', proof);

async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const sent =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return (await bodyOf(fetchThroughGate(gatePath(`/api/${path}`), { method, ...sent }))) as Answer;
}
