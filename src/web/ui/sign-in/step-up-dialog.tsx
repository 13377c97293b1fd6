import { ApiFailure, codeIn } from '../../api-client.ts';
import { readSignInMethods, stepUp, stepUpOptions, type SignInMethods } from './factors-api.ts';
import type { DialogProps } from '../forms/form-dialog.tsx';
import type { Proof } from './login-steps.ts';
import { Modal } from '../forms/modal.tsx';
import { LoadFailure, Loading } from '../notices.tsx';
import { useProfile } from '../../profile.ts';
import { kindOf, ProofForm, type ProofKind } from './proof-form.tsx';
import { text } from '../../text.ts';
import { useLoaded } from '../loading.ts';

/** Asks for a fresh proof of identity before actions that must not be open to anyone who finds an open browser. */
export function StepUpDialog({ onClose, onDone }: DialogProps) {
  const { username } = useProfile();
  const [state, reload] = useLoaded(readSignInMethods);
  const prove = async (proof: Proof) => {
    try {
      await stepUp(proof);
    } catch (error) {
      throw error instanceof ApiFailure &&
        ['step_up_failed', 'login_failed'].includes(codeIn(error.body) ?? '')
        ? new ApiFailure(403, text.proofs.wrong[kindOf(proof)])
        : error;
    }
    onDone();
  };
  return (
    <Modal title={text.proofs.stepUp} onClose={onClose}>
      <p>{text.proofs.stepUpHint}</p>
      {state.kind === 'loading' && <Loading what={text.proofs.what} />}
      {state.kind === 'failed' && (
        <LoadFailure what={text.proofs.what} error={state.error} onRetry={reload} />
      )}
      {state.kind === 'loaded' && (
        <ProofForm
          kinds={kindsOf(state.value)}
          user={username}
          optionsOf={stepUpOptions}
          onProof={prove}
          onCancel={onClose}
          cancel={text.actions.cancel}
        />
      )}
    </Modal>
  );
}

/** Users with a second factor use that; others use the password. */
function kindsOf(methods: SignInMethods): ProofKind[] {
  const { passkeys, one_time_code: code, recovery_codes_left: left } = methods;
  const kinds: ProofKind[] = [
    ...(passkeys.length > 0 ? ['passkey' as const] : []),
    ...(code === null ? [] : ['code' as const]),
    ...(left > 0 ? ['recovery_code' as const] : []),
  ];
  return kinds.length === 0 ? ['password'] : kinds;
}
