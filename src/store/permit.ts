import type { Kysely, Transaction } from 'kysely';
import type { AlertEvent } from '../config/notifications-section.ts';
import type { RoleAccess } from '../policy/role-access.ts';
import { isWider } from '../policy/role-changes.ts';
import type { Permitted, Tables } from './schema.ts';

/** How the accounts' database is read: through a transaction that changes it, or the store itself. */
export type Reading = Pick<Kysely<Tables>, 'selectFrom' | 'executeQuery' | 'getExecutor'>;

/** The rights that a permit gives in its transaction. */
export interface Permission {
  /** @throws AppError `step_up_needed` without a fresh proof, `forbidden` if the caller cannot give one */
  requireProof(): void;
  /** @returns a text that may only be written with a fresh proof. @throws as `requireProof` */
  prove(text: string): Permitted;
  /**
   * @param change the access that is given, and what its person has now
   * @returns a role that may be given. @throws as `requireProof`, for `admin`, roles that need a second factor, and access that may become wider
   */
  grant(role: string, change?: AccessChange): Permitted;
  /** Who makes the change. Absent when no request does. */
  readonly actor?: Actor;
}

interface AccessChange {
  readonly before: RoleAccess;
  readonly after: RoleAccess;
}

interface Actor {
  readonly by: string;
  /** The client's address. */
  readonly address: string;
}

/** The subject of an alert. */
export interface About extends Partial<Actor> {
  /** The account that it concerns. */
  readonly user?: string;
  /** The name of a token, a display or a camera. */
  readonly object?: string;
}

/** A permission whose change may alert people. */
export interface Alerting extends Permission {
  /** Writes an alert, in the transaction of the change. `by` and `address` are the actor's unless given. */
  alert(event: AlertEvent, about: About & { readonly count?: number }): void;
}

/**
 * Checks that a change is permitted at the moment it takes effect: the transaction that writes asks first, through its own
 * connection, so no right can expire between the check and the write. SQLite has one writer; a database with several has to
 * lock the rows that the check reads.
 * @throws an error when the change is not permitted (anymore); then nothing is written
 */
export type Permit = (on: Reading) => Promise<Permission>;

/**
 * @param requireProof throws unless the caller has given a fresh proof
 * @param isGuarded whether a role besides `admin` needs one
 */
export function permissionBy(
  requireProof: () => void,
  isGuarded: (role: string) => boolean = () => false,
  actor?: Actor,
): Permission {
  const prove = (text: string) => {
    requireProof();
    return text as Permitted;
  };
  return {
    requireProof,
    prove,
    grant: (role, change) =>
      role === 'admin' || isGuarded(role) || (change !== undefined && isWider(change.after, change.before))
        ? prove(role)
        : (role as Permitted),
    ...(actor && { actor }),
  };
}

const everything = permissionBy(() => undefined);

/**
 * For changes that no request makes: the command line, whose user may write the file anyway, the start, and timers. Also for a
 * logout, which only ends its own session. It counts as proven.
 */
export const unconditional: Permit = async () => everything;

/** Counts as proven while a condition does not throw: for logins, which a provider or a password has proved. */
export function onlyIf(condition: (on: Reading) => Promise<unknown>): Permit {
  return async (on) => {
    await condition(on);
    return everything;
  };
}

/** Runs a change in a transaction that starts with its permit. */
export type Change = <T>(
  permit: Permit,
  work: (on: Transaction<Tables>, permission: Alerting) => T | Promise<T>,
) => Promise<T>;
