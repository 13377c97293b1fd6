import type { Kysely, Transaction } from 'kysely';
import type { Permitted } from './permitted.ts';
import type { Tables } from './schema.ts';

/** What the accounts' database is read through: a transaction that changes it, or the store itself. */
export type Reading = Pick<Kysely<Tables>, 'selectFrom' | 'executeQuery'>;

/** What a permit allows in its transaction. */
export interface Permission {
  /** @throws AppError `step_up_needed` without a fresh proof, `forbidden` for who cannot give one */
  requireProof(): void;
  /** @returns what may be written with a fresh proof alone. @throws as `requireProof` */
  prove(text: string): Permitted;
  /** @returns a role as it may be given. @throws as `requireProof`, for `admin` and roles that need a second factor */
  grant(role: string): Permitted;
}

/**
 * What a change is permitted by, at the moment it takes effect: the transaction that writes asks first, through its own
 * connection, so that nothing which was permitted and then had to wait outlives its right. With SQLite nobody else writes
 * between the answer and the commit; a database with several writers has to lock what the answer is made of.
 * @throws whatever says that it is not permitted (any more); then nothing is written
 */
export type Permit = (on: Reading) => Promise<Permission>;

/**
 * @param requireProof throws unless who asks has given a fresh proof
 * @param isGuarded whether a role besides `admin` needs one
 */
export function permissionBy(
  requireProof: () => void,
  isGuarded: (role: string) => boolean = () => false,
): Permission {
  const prove = (text: string) => {
    requireProof();
    return text as Permitted;
  };
  return {
    requireProof,
    prove,
    grant: (role) => (role === 'admin' || isGuarded(role) ? prove(role) : (role as Permitted)),
  };
}

const everything = permissionBy(() => undefined);

/**
 * For what no request asks for: the command, whose user may write the file anyway, the start, and what goes by itself.
 * And for a logout, which takes nothing away but its own session. It counts as proven.
 */
export const unconditional: Permit = async () => everything;

/** Counts as proven while a condition holds, which throws otherwise: for logins, which a provider or a password has proved. */
export function onlyIf(condition: (on: Reading) => Promise<unknown>): Permit {
  return async (on) => {
    await condition(on);
    return everything;
  };
}

/** Runs a change in a transaction that begins with its permit: all of it, or nothing. */
export type Change = <T>(
  permit: Permit,
  work: (on: Transaction<Tables>, permission: Permission) => T | Promise<T>,
) => Promise<T>;
