import type { ClientConfig } from 'pg';
import { StoreError } from '../store.ts';
import { Client, connectTimeoutMs, postgresError } from './client.ts';

const oldestVersion = 150_000;

/**
 * Checks whether a server can hold the store: its version, that it is no replica, and that each connection keeps its server
 * process. A pooling proxy in transaction mode would give one process's connection to another in between.
 * @throws StoreError
 */
export async function requireUsableServer(config: ClientConfig): Promise<void> {
  const [one, other] = [clientOf(config), clientOf(config)];
  const late = setTimeout(() => {
    one.cut();
    other.cut();
  }, 2 * connectTimeoutMs);
  try {
    await Promise.all([one.connect(), other.connect()]);
    const { rows } = await one.query<{ version: number; standby: boolean; pid: number }>(
      "SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS standby, pg_backend_pid() AS pid",
    );
    const [found] = rows;
    if (found === undefined) throw new StoreError('store.url: the server answers nothing');
    if (found.version < oldestVersion)
      throw new StoreError(
        `store.url: PostgreSQL ${Math.floor(found.version / 10_000)} is too old: 15 or later is needed`,
      );
    if (found.standby)
      throw new StoreError('store.url: this is a read-only copy of another server: name the server itself');
    await other.query('BEGIN');
    const { rows: others } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    if (others[0]?.pid === found.pid)
      throw new StoreError(
        'store.url: a pooling proxy in transaction mode stands before PostgreSQL: name the server itself, or a pool in session mode',
      );
  } catch (error) {
    throw postgresError(error);
  } finally {
    clearTimeout(late);
    one.cut();
    other.cut();
  }
}

/** The URL may name files, and some invalid forms only the driver detects. */
function clientOf(config: ClientConfig): Client {
  try {
    return new Client(config);
  } catch (cause) {
    throw new StoreError(`store.url: ${(cause as Error).message}`, { cause });
  }
}
