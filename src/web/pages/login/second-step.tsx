import { ApiFailure, codeIn } from '../../api-client.ts';
import {
  passkeyOptions,
  sendSecondStep,
  type LoggedIn,
  type Proof,
  type SecondFactor,
  type SecondStep,
} from '../../ui/sign-in/login-steps.ts';
import { kindOf, ProofForm, type ProofKind } from '../../ui/sign-in/proof-form.tsx';
import { text } from '../../text.ts';

const kindOfMethod: Readonly<Record<SecondFactor, ProofKind>> = {
  passkey: 'passkey',
  one_time_code: 'code',
  recovery_code: 'recovery_code',
};

/** Asks for the second factor after a correct password. */
export function SecondStepForm(props: {
  readonly step: SecondStep;
  /** @param isTooLate the password has to be entered again */
  readonly onBack: (isTooLate: boolean) => void;
  readonly onDone: (answer: LoggedIn) => Promise<void>;
}) {
  const { step, onBack, onDone } = props;
  const send = async (proof: Proof) => {
    try {
      await onDone(await sendSecondStep(step, proof));
    } catch (error) {
      if (isTooLate(error)) return onBack(true);
      throw error instanceof ApiFailure && error.status === 401
        ? new ApiFailure(401, text.proofs.wrong[kindOf(proof)])
        : error;
    }
  };
  return (
    <>
      <h2>{text.login.secondStep}</h2>
      <p>{text.proofs.secondStepHint}</p>
      <ProofForm
        kinds={step.methods.map((method) => kindOfMethod[method])}
        optionsOf={() => passkeyOptions(step.challenge)}
        onProof={send}
        onCancel={() => onBack(false)}
        cancel={text.actions.back}
      />
    </>
  );
}

function isTooLate(error: unknown): boolean {
  return error instanceof ApiFailure && codeIn(error.body) === 'challenge_expired';
}
