import type { Change, Permit } from '../../store/permit.ts';
import { type ProofLimit, ProofRefused, type Proof, type Proofs } from './proofs.ts';
import type { Factors } from './factors.ts';
import type { Ceremony, Passkeys } from './passkeys.ts';

interface Who {
  readonly username: string;
  readonly sessionId: string;
}

/** Asks the user of a session for a second factor once more. */
export interface StepUp {
  passkeyOptions(who: Who): Promise<Ceremony>;
  /**
   * @param address of the client
   * @param permit of the session, checked when the proof is used
   * @throws ProofRefused, AppError `too_many_requests`, errors of the permit
   */
  prove(who: Who, proof: Proof, address: string, permit: Permit): Promise<void>;
}

export interface StepUpDependencies {
  readonly change: Change;
  readonly factors: Pick<Factors, 'of'>;
  readonly passkeys: Pick<Passkeys, 'beginAssertion'>;
  readonly proofs: Proofs;
  readonly proofLimit: ProofLimit;
}

export function createStepUp({ change, factors, passkeys, proofs, proofLimit }: StepUpDependencies): StepUp {
  return {
    passkeyOptions: async ({ username, sessionId }) =>
      passkeys.beginAssertion('passkey_step_up', sessionId, (await factors.of(username)).passkeys),

    prove: ({ username, sessionId }, proof, address, permit) => {
      const occasion = { purpose: 'passkey_step_up', about: sessionId } as const;
      const isFailure = (error: unknown) => error instanceof ProofRefused;
      return proofLimit.attempt({ address, username, proof }, isFailure, async () => {
        const found = await proofs.check(proof, username, occasion);
        await change(permit, (on) => found.use(on));
      });
    },
  };
}
