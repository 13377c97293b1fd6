import { Socket } from 'node:net';
import { Client as PgClient, types, type ClientConfig } from 'pg';
import { StoreError } from '../store.ts';

/** PostgreSQL failed, or did not answer in time. The message names no password. */
export class PostgresError extends StoreError {
  override readonly name = 'PostgresError';
}

/** @returns a StoreError unchanged, and anything else as a PostgresError */
export function postgresError(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const { message = String(cause), code } = (cause ?? {}) as { message?: string; code?: string };
  // The joint error of a host with several addresses has no message.
  const reason = message || code || 'cannot be reached';
  return new PostgresError(`PostgreSQL: ${reason}${advice[code ?? ''] ?? ''}`, { cause });
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: class 08, cannot_connect_now, too_many_connections,
// lock_not_available.
const passing = /^(?:08...|57P03|53300|55P03|E[A-Z]+)$/;

/** Whether waiting may help: the server does not answer yet, or another process migrates. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof PostgresError)) return false;
  const code = codeOf(error);
  return code === undefined || passing.test(code);
}

/** Whether another process holds the lock that this one waits for: lock_not_available. */
export function isLocked(error: unknown): boolean {
  return error instanceof PostgresError && codeOf(error) === '55P03';
}

function codeOf({ cause }: PostgresError): string | undefined {
  return (cause as { readonly code?: string } | undefined)?.code;
}

/** Advice by error code of the system and the server: https://www.postgresql.org/docs/current/errcodes-appendix.html. */
export const advice: Readonly<Record<string, string>> = {
  ECONNREFUSED: ': nothing listens there; is it running?',
  ENOTFOUND: ': that host is unknown',
  ENOENT: ': nothing listens there; is it running?',
  '28P01': ': the URL has another password than the server; what is special in one is written as a %-escape',
  '28000': ': the server lets this user not in from here; see its pg_hba.conf',
  '3D000': ': make it, with this user as its owner',
  '42P07': ': it is of another program; give Postern a database of its own',
  '42501': ': make this user the owner of the database',
  '53300': ': raise max_connections; each process takes up to eleven',
};

/** Timeouts that the server enforces, so that a gate without network holds no locks. Milliseconds. */
const ofServer = {
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 2_000,
} as const;

/** Milliseconds. */
export const connectTimeoutMs = 5_000;

/** @returns the settings of each connection to a `store.url` */
export function clientConfig(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'postern',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    ...ofServer,
    types: { getTypeParser: parserOf },
  };
}

const int8 = 20;

/** Counts and seconds are far below 2^53. */
const parserOf: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === int8 ? Number : types.getTypeParser(oid, format);

/** A connection that can be cut at once; `end` would wait for the other side. */
export class Client extends PgClient {
  readonly #socket: Socket;

  constructor(config?: ClientConfig) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.#socket = socket;
    // Each query on it fails too; without a listener the process would exit.
    this.on('error', () => undefined);
  }

  cut(): void {
    this.#socket.destroy();
  }
}

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

/** Parameters of the driver that PostgreSQL's own programs reject. */
const ofDriver = ['ssl', 'uselibpqcompat'];

/** @returns a `store.url` for PostgreSQL's own programs, which prompt for the password */
export function withoutPassword(url: string): string {
  const stripped = new URL(url);
  stripped.password = '';
  const { searchParams } = stripped;
  for (const name of ['password', ...ofDriver]) searchParams.delete(name);
  if (searchParams.get('sslmode') === 'no-verify') searchParams.set('sslmode', 'require');
  return stripped.href;
}
