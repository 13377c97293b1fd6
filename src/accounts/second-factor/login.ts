import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Users } from '../users/users.ts';
import type { SessionState } from '../users/user-rows.ts';
import { AppError } from '../../errors.ts';
import type { Sealing } from '../sealing.ts';
import { onlyIf, type Change, type Reading } from '../../store/permit.ts';
import { useOnce } from '../../store/used-once.ts';
import { type ProofLimit, ProofRefused, type Proof, type Proofs } from './proofs.ts';
import type { Factors } from './factors.ts';
import type { Ceremony, Passkeys, Presented } from './passkeys.ts';

type Method = Proof['method'];

/** The response to a correct password when a second factor is needed. */
interface SecondFactorNeeded {
  /** Factors that the user may answer with; empty if an admin or the command has to reset them. */
  readonly methods: readonly Method[];
  /** Proves that the password was right. */
  readonly challenge: string;
}

/** Reason why a login with a factor failed, and its user if known, for the audit log. */
export class FactorLoginFailed extends Error {
  override readonly name = 'FactorLoginFailed';
  readonly code: 'login_failed' | 'challenge_expired';
  readonly reason: ProofRefused['fault'];
  readonly username: string | undefined;

  constructor(reason: ProofRefused['fault'], username: string | undefined) {
    super(reason);
    this.code = reason === 'challenge_expired' ? 'challenge_expired' : 'login_failed';
    this.reason = reason;
    this.username = username;
  }
}

/** Logins with a second factor or a passkey. */
export interface FactorLogin {
  /** @param user whose password was right. @returns `undefined` if the user has no factor, and is signed in */
  ask(user: SessionState): Promise<SecondFactorNeeded | undefined>;
  /**
   * Completes a login that `ask` has begun.
   * @param address of the client
   * @returns the user with the generation of the password
   * @throws FactorLoginFailed, AppError `challenge_expired`, `too_many_requests`
   */
  finish(challenge: string, proof: Proof, address: string): Promise<SessionState>;
  /** @param challenge of a login that `ask` has begun. @throws FactorLoginFailed, AppError `challenge_expired`, `passkeys_impossible` */
  passkeyOptions(challenge: string | undefined): Promise<Ceremony>;
  /** A passkey that verifies its user counts as both factors. @throws as `finish` */
  byPasskey(passkey: Presented, address: string): Promise<SessionState>;
}

export interface FactorLoginDependencies {
  readonly change: Change;
  readonly users: Pick<Users, 'find'>;
  readonly factors: Pick<Factors, 'of'>;
  readonly passkeys: Pick<Passkeys, 'arePossible' | 'requirePossible' | 'beginAssertion'>;
  readonly proofs: Proofs;
  readonly proofLimit: ProofLimit;
  readonly sealing: Pick<Sealing, 'issue' | 'read'>;
  readonly clock: Clock;
}

/** Seconds, to find the phone. */
const challengeLifetime = 300;

interface Begun {
  readonly id: string;
  readonly username: string;
  readonly generation: string;
}

export function createFactorLogin(dependencies: FactorLoginDependencies): FactorLogin {
  const { change, users, factors, passkeys, proofs, proofLimit, sealing, clock } = dependencies;

  /** A local user who may sign in now. */
  const userNow = async (username: string, on?: Reading): Promise<SessionState | undefined> => {
    const found = await users.find(username, on);
    const mayLogIn = found?.blocked === undefined && found?.issuer === undefined;
    return mayLogIn ? found : undefined;
  };

  /** @throws FactorLoginFailed when the password has changed since it was checked */
  const requireBegun = async ({ username, generation }: Begun, on?: Reading): Promise<SessionState> => {
    const user = await userNow(username, on);
    if (user?.generation !== generation) throw new FactorLoginFailed('challenge_expired', username);
    return user;
  };

  const begunBy = async (challenge: string): Promise<Begun> => {
    const { id, username, generation } = (await sealing.read('login_challenge', challenge)) ?? {};
    if (typeof id !== 'string' || typeof username !== 'string' || typeof generation !== 'string')
      throw new AppError('challenge_expired');
    const begun = { id, username, generation };
    await requireBegun(begun);
    return begun;
  };

  /** @throws FactorLoginFailed instead of ProofRefused */
  const naming = async <T>(username: string | undefined, work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      throw error instanceof ProofRefused ? new FactorLoginFailed(error.fault, username) : error;
    });

  const isFailure = (error: unknown) => error instanceof FactorLoginFailed;

  return {
    ask: async ({ username, generation, hasSecondFactor }) => {
      if (!hasSecondFactor) return undefined;
      const has = await factors.of(username);
      const methods = [
        ...(has.passkeys.length > 0 && passkeys.arePossible ? (['passkey'] as const) : []),
        ...(has.oneTimeCode === undefined ? [] : (['one_time_code'] as const)),
        ...(has.recoveryCodesLeft > 0 ? (['recovery_code'] as const) : []),
      ];
      const begun: Begun = { id: randomUUID(), username, generation };
      const challenge = await sealing.issue('login_challenge', { ...begun }, challengeLifetime);
      return { methods, challenge };
    },

    finish: async (challenge, proof, address) => {
      const begun = await begunBy(challenge);
      const { id, username } = begun;
      const occasion = { purpose: 'passkey_second_factor', about: id } as const;
      const stillBegun = (on: Reading) => requireBegun(begun, on);
      return proofLimit.attempt({ address, username, proof }, isFailure, () =>
        naming(username, async () => {
          const found = await proofs.check(proof, username, occasion);
          return change(onlyIf(stillBegun), async (on) => {
            await found.use(on);
            const expiresAt = clock.now() + challengeLifetime * 1_000;
            if (!(await useOnce(on, 'login_challenge', id, expiresAt)))
              throw new ProofRefused('challenge_expired');
            return stillBegun(on);
          });
        }),
      );
    },

    passkeyOptions: async (challenge) => {
      passkeys.requirePossible();
      if (challenge === undefined) return passkeys.beginAssertion('passkey_login', '');
      const { id, username } = await begunBy(challenge);
      const has = await factors.of(username);
      return passkeys.beginAssertion('passkey_second_factor', id, has.passkeys);
    },

    byPasskey: async (passkey, address) => {
      const proof = { method: 'passkey', passkey } as const;
      return proofLimit.attempt({ address, username: undefined, proof }, isFailure, async () => {
        const occasion = { purpose: 'passkey_login', about: '' } as const;
        const found = await naming(undefined, () => proofs.check(proof, undefined, occasion));
        const { username } = found;
        const requireUser = async (on: Reading) => {
          const user = await userNow(username, on);
          if (user === undefined) throw new FactorLoginFailed('passkey_unknown', username);
          return user;
        };
        return naming(username, () =>
          change(onlyIf(requireUser), async (on) => {
            await found.use(on);
            return requireUser(on);
          }),
        );
      });
    },
  };
}
