import { Client, clientConfig, postgresError, requireUsableServer } from './client.ts';
import { connectionsOfProcess } from './open-store.ts';

/** Facts about a server, to judge whether it can hold a store. */
export interface ServerFacts {
  /** PostgreSQL's own text. */
  readonly version: string;
  readonly mayMakeTables: boolean;
  /** Milliseconds by which its clock is ahead of this machine's, and the uncertainty. */
  readonly ahead: number;
  readonly doubt: number;
  /** Connections that all gates together may have, and how many they have now. */
  readonly connections: number;
  readonly taken: number;
  /** The most connections of one gate process. */
  readonly ofProcess: number;
}

interface Row {
  readonly version: string;
  readonly may: boolean | null;
  readonly now: number;
  readonly most: number;
  readonly others: number;
  readonly own: number;
}

// Other connections may belong to other databases: max_connections counts for all.
const question = `
  SELECT current_setting('server_version') AS version,
    has_schema_privilege(current_schema(), 'CREATE') AS may,
    (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
    least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
      nullif((SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user), -1),
      nullif((SELECT datconnlimit FROM pg_database WHERE datname = current_database()), -1)
    ) AS most,
    count(*) FILTER (WHERE application_name <> 'postern')::int AS others,
    count(*) FILTER (WHERE application_name = 'postern' AND pid <> pg_backend_pid())::int AS own
  FROM pg_stat_activity WHERE backend_type = 'client backend'`;

/** @throws StoreError when no gate could use it */
export async function lookAtServer(url: string, now: () => number): Promise<ServerFacts> {
  const config = clientConfig(url);
  await requireUsableServer(config);
  const client = new Client(config);
  try {
    await client.connect();
    const sent = now();
    const { rows } = await client.query<Row>(question);
    const received = now();
    const [row] = rows;
    if (row === undefined) throw new Error('it returned no facts about itself');
    return {
      version: row.version,
      mayMakeTables: row.may === true,
      ahead: row.now - (sent + received) / 2,
      doubt: (received - sent) / 2,
      connections: row.most - row.others,
      taken: row.own,
      ofProcess: connectionsOfProcess,
    };
  } catch (error) {
    throw postgresError(error);
  } finally {
    client.cut();
  }
}
