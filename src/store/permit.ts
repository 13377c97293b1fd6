import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './schema.ts';

/** What the accounts' database is read through: a transaction that changes it, or the store itself. */
export type Reading = Pick<Kysely<Tables>, 'selectFrom' | 'executeQuery'>;

/**
 * What a change is permitted by, at the moment it takes effect: the transaction that writes asks first, through its own
 * connection, so that nothing which was permitted and then had to wait outlives its right. With SQLite nobody else writes
 * between the answer and the commit; a database with several writers has to lock what the answer is made of.
 * @throws whatever says that it is not permitted (any more); then nothing is written
 */
export type Permit = (on: Reading) => Promise<unknown>;

/**
 * For what no request asks for: the command, whose user may write the file anyway, the start, and what goes by itself.
 * And for a logout, which takes nothing away but its own session.
 */
export const unconditional: Permit = async () => undefined;

/** Runs a change in a transaction that begins with its permit: all of it, or nothing. */
export type Change = <T>(permit: Permit, work: (on: Transaction<Tables>) => T | Promise<T>) => Promise<T>;
