import type { InferResponseType } from 'hono/client';
import { ApiFailure, bodyOf, codeIn, type loginApi } from '../../api-client.ts';
import { gatePath } from '../../path-prefix.ts';
import type { PasskeyAnswer, PasskeyOptions } from './passkeys.ts';
import { text } from '../../text.ts';

/** The response to a login of any kind; `second_factor`: the role needs one, and the user has none yet. */
export type LoggedIn = InferResponseType<typeof loginApi.index.$post, 200>;

export type SecondFactor = 'passkey' | 'one_time_code' | 'recovery_code';

/** The second step, which Postern asks for after a correct password. */
export interface SecondStep {
  readonly methods: readonly SecondFactor[];
  /** Proves the correct password for some minutes. */
  readonly challenge: string;
}

/** A proof of identity. */
export type Proof =
  | { readonly password: string }
  | { readonly code: string }
  | { readonly recovery_code: string }
  | { readonly passkey: PasskeyAnswer<AuthenticationResponseJSON> };

/** @returns the second step that an error asks for, or `undefined` if it asks for none, or `undefined` if it asks for none */
export function secondStepIn(error: unknown): SecondStep | undefined {
  if (!(error instanceof ApiFailure) || codeIn(error.body) !== 'second_factor_needed') return undefined;
  return error.body as SecondStep;
}

export const sendSecondStep = ({ challenge }: SecondStep, proof: Proof) =>
  askAtLogin<LoggedIn>('second-factor', { challenge, ...proof });

/** @param challenge of the second step; without it the passkey is the whole login */
export const passkeyOptions = (challenge?: string) =>
  askAtLogin<PasskeyOptions<PublicKeyCredentialRequestOptionsJSON>>(
    'passkey-options',
    challenge === undefined ? {} : { challenge },
  );

export const logInByPasskey = (answer: PasskeyAnswer<AuthenticationResponseJSON>) =>
  askAtLogin<LoggedIn>('passkey', answer);

/** Does not redirect to the login page: the user is on it. @throws ApiFailure */
async function askAtLogin<Body>(name: string, body: object): Promise<Body> {
  const answer = await fetch(gatePath(`/api/login/${name}`), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new ApiFailure(0, text.progress.noAnswer);
  });
  return (await bodyOf(Promise.resolve(answer))) as Body;
}
