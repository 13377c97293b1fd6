import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { freePort } from './ports.ts';

/** How another process reaches a running PostgreSQL. */
export interface PostgresAddress {
  /** Where its Unix socket is, which needs no password. */
  readonly directory: string;
  /** Of 127.0.0.1, where it asks for the password. */
  readonly port: number;
  readonly password: string;
}

export interface PostgresCluster {
  readonly address: PostgresAddress;
  /** All its processes at once, by SIGKILL. */
  kill(): Promise<void>;
  /** Restarts with what was committed, on the same port. */
  start(): Promise<void>;
  /** Ends it, and removes its files. */
  close(): Promise<void>;
}

export interface PostgresDatabase {
  /** Over the Unix socket. */
  readonly url: string;
  /** Over TCP on 127.0.0.1, with the password. Another port is that of a link. */
  urlAt(port?: number): string;
  /** @returns the rows */
  query(text: string, values?: readonly unknown[]): Promise<ReadonlyArray<Record<string, unknown>>>;
}

const user = 'postern';

/**
 * A PostgreSQL of Debian's package with a directory of its own, which ends with the process that started it.
 * @param settings as in postgresql.conf
 */
export async function startPostgresCluster(
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresCluster> {
  const binaries = newestBinaries();
  const directory = mkdtempSync(join(tmpdir(), 'postern-postgres-'));
  const address = { directory, port: await freePort(), password: randomBytes(16).toString('hex') };
  const passwordFile = join(directory, 'password');
  writeFileSync(passwordFile, address.password);
  const data = join(directory, 'data');
  const asPostgres = giveToPostgres(directory, passwordFile);
  const initialize = ['--no-sync', '--pgdata', data, '--username', user, '--pwfile', passwordFile];
  const authentication = ['--auth-local=trust', '--auth-host=scram-sha-256'];
  // Sorts as the databases of most operators do, which is not by bytes as SQLite does.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en'];
  const [program, ...before] = [...asPostgres, join(binaries, 'initdb')];
  execFileSync(program, [...before, ...initialize, ...authentication, ...locale], { stdio: 'pipe' });
  const parameters = Object.entries({
    listen_addresses: '127.0.0.1',
    port: address.port,
    unix_socket_directories: directory,
    max_connections: 200,
    // The files go with the run; what a killed process has written is there all the same.
    fsync: 'off',
    full_page_writes: 'off',
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let child: ChildProcess | undefined;
  const start = async () => {
    child = await startPostgres([...asPostgres, join(binaries, 'postgres'), '-D', data, ...parameters]);
  };
  await start();
  return {
    address,
    start,
    kill: async () => {
      if (child?.pid === undefined) return;
      await killAll(child.pid);
    },
    close: async () => {
      if (child !== undefined && child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGQUIT');
        await exited;
      }
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Makes an empty database, which is there as long as its PostgreSQL. */
export async function createDatabase(address: PostgresAddress): Promise<PostgresDatabase> {
  const name = `postern_${randomBytes(6).toString('hex')}`;
  const urlOf = (database: string) =>
    `postgres://${user}@localhost:${address.port}/${database}?host=${encodeURIComponent(address.directory)}`;
  await ask(urlOf('postgres'), `CREATE DATABASE ${name} TEMPLATE template0`);
  return {
    url: urlOf(name),
    urlAt: (port = address.port) => `postgres://${user}:${address.password}@127.0.0.1:${port}/${name}`,
    query: (text, values) => ask(urlOf(name), text, values),
  };
}

async function ask(url: string, text: string, values: readonly unknown[] = []) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** Debian keeps each version's programs in a directory of their own, outside the PATH. */
function newestBinaries(): string {
  const found = globSync('/usr/lib/postgresql/*/bin/postgres');
  const newest = found.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  if (newest === undefined) throw new Error('there is no PostgreSQL: script/test installs it');
  return dirname(newest);
}

/** PostgreSQL refuses to run as root. @returns what begins a command of its */
function giveToPostgres(...paths: readonly string[]): readonly [string, ...string[]] {
  // However this process ends, the one that it started ends too.
  const setpriv = ['setpriv', '--pdeathsig', 'INT'] as const;
  if (process.getuid?.() !== 0) return setpriv;
  const id = (kind: string) => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
  const [uid, gid] = [id('-u'), id('-g')];
  for (const path of paths) chownSync(path, uid, gid);
  return [...setpriv, '--reuid', String(uid), '--regid', String(gid), '--clear-groups'];
}

async function startPostgres([program, ...args]: readonly [string, ...string[]]): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    if (!line.includes('ready to accept connections')) continue;
    child.stderr.resume();
    return child;
  }
  throw new Error(`PostgreSQL ended: ${lines.join('\n')}`);
}

/** @returns the ids of the processes that a process has started */
function childrenOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return children.filter((id) => id !== '').map(Number);
}

/** Returns when none of them is left, since the next one needs what they share. */
async function killAll(pid: number): Promise<void> {
  const all = [pid, ...childrenOf(pid)];
  for (const id of all) process.kill(id, 'SIGKILL');
  while (all.some(isRunning)) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** What was killed may stay long as a zombie (`Z`), and shares nothing meanwhile. */
function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
