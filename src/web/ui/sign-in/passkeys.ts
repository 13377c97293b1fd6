import { FormProblem } from '../../api-client.ts';
import { hasPasskeys } from '../page-marks.ts';
import { text } from '../../text.ts';

/** WebAuthn options from Postern, with sealed state that the browser returns with its answer. */
export interface PasskeyOptions<Options> {
  readonly options: Options;
  readonly state: string;
}

export interface PasskeyAnswer<Response> {
  readonly state: string;
  readonly response: Response;
}

/** Whether the browser offers passkeys where the user name is typed. */
export async function offersPasskeys(): Promise<boolean> {
  return hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable());
}

/**
 * Asks the user for a passkey.
 * @param quiet the browser waits until the user picks an offered passkey; aborting it ends the wait
 * @throws FormProblem
 */
export async function showPasskey(
  { options, state }: PasskeyOptions<PublicKeyCredentialRequestOptionsJSON>,
  quiet?: AbortSignal,
): Promise<PasskeyAnswer<AuthenticationResponseJSON>> {
  const credential = await navigator.credentials
    .get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
      ...(quiet === undefined ? {} : { mediation: 'conditional', signal: quiet }),
    })
    .catch(explain);
  return { state, response: jsonOf(credential) as AuthenticationResponseJSON };
}

/** Lets the user create a passkey. @throws FormProblem */
export async function makePasskey({
  options,
  state,
}: PasskeyOptions<PublicKeyCredentialCreationOptionsJSON>): Promise<PasskeyAnswer<RegistrationResponseJSON>> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey }).catch(explain);
  return { state, response: jsonOf(credential) as RegistrationResponseJSON };
}

function jsonOf(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw new FormProblem(text.proofs.passkeyFailed);
  return credential.toJSON();
}

/** Browsers reveal only some causes (WebAuthn, 5.1.3 and 5.1.4). */
function explain(error: unknown): never {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError') throw new FormProblem(text.proofs.passkeyCancelled);
  if (name === 'InvalidStateError') throw new FormProblem(text.proofs.passkeyKnown);
  if (name === 'SecurityError') throw new FormProblem(text.proofs.passkeyElsewhere);
  throw new FormProblem(text.proofs.passkeyFailed, { cause: error });
}
