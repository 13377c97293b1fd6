import type { Kysely } from 'kysely';
import type { VersionTable } from './migrate.ts';

/** Reads a little of a database. @throws the system's error when it cannot be read */
export async function requireReadable<All extends VersionTable>(
  database: Pick<Kysely<All>, 'selectFrom'>,
): Promise<void> {
  await (database as unknown as Pick<Kysely<VersionTable>, 'selectFrom'>)
    .selectFrom('schema_version')
    .select('version')
    .executeTakeFirstOrThrow();
}
