import type { Configuration } from '../config/configuration.ts';
import { createProofLimit } from '../accounts/second-factor/proof-limit.ts';
import { createFactorLogin, type FactorLogin } from '../accounts/second-factor/login.ts';
import { createPasskeys, type Passkeys } from '../accounts/second-factor/passkeys.ts';
import { createProofs } from '../accounts/second-factor/proofs.ts';
import { relyingPartyOf } from '../accounts/second-factor/relying-party.ts';
import { createStepUp, type StepUp } from '../accounts/second-factor/step-up.ts';
import type { Sealing } from '../accounts/sealing.ts';
import type { Services } from './services.ts';

interface SecondFactor {
  readonly passkeys: Passkeys;
  readonly factorLogin: FactorLogin;
  readonly stepUp: StepUp;
}

/** Passkeys and codes for logins and endpoints, by one configuration. */
export function composeSecondFactor(
  { publicUrl, auth }: Configuration,
  sealing: Sealing,
  { clock, factors, users, changeLimit, tallies, failureLimitOf, windows, change, read }: Services,
): SecondFactor {
  const passkeys = createPasskeys(relyingPartyOf(publicUrl), sealing, clock);
  const proofs = createProofs({ read, sealing, passkeys, changeLimit, clock });
  const proofLimit = createProofLimit(
    failureLimitOf(auth.failedLoginRateLimit),
    windows,
    () => (tallies.limited.login_failures += 1),
  );
  const dependencies = { change, users, factors, passkeys, proofs, proofLimit, sealing, clock };
  return {
    passkeys,
    factorLogin: createFactorLogin(dependencies),
    stepUp: createStepUp(dependencies),
  };
}
