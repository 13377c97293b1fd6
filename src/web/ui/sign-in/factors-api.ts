import type { InferResponseType } from 'hono/client';
import type { GivenOut } from '../../../accounts/users/recovery.ts';
import type { Calls } from '../../calls.ts';
import { bodyOf, fetchThroughGate } from '../../api-client.ts';
import type { Proof } from './login-steps.ts';
import type { PasskeyAnswer, PasskeyOptions } from './passkeys.ts';
import { gatePath } from '../../path-prefix.ts';

/** Times are seconds since the epoch. */
export type SignInMethods = InferResponseType<Calls<'/postern/api/sign-in-methods'>['index']['$get'], 200>;
export type OwnPasskey = SignInMethods['passkeys'][number];

type OneTimeCodes = Calls<'/postern/api/one-time-code'>;
/** The secret that an authenticator app needs for one-time codes. They are active once the user has sent a code back. */
export type CodeSetup = InferResponseType<OneTimeCodes['setup']['$post'], 200>;
export type MadeCodes = InferResponseType<OneTimeCodes['index']['$post'], 201>;

/** A factor is a passkey or a one-time code; recovery codes only replace these. */
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

/** Removes all factors of a user. Admins only. @param keep which tokens, shares and screens of the user stay */
export const resetFactors = (username: string, keep: readonly GivenOut[]) =>
  ask<unknown>('DELETE', `users/${encodeURIComponent(username)}/factors?keep=${keep.join(',')}`);

async function ask<Body>(method: string, path: string, body?: object): Promise<Body> {
  const sent =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return (await bodyOf(fetchThroughGate(gatePath(`/api/${path}`), { method, ...sent }))) as Body;
}
