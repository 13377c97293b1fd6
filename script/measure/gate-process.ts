import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { PostgresDatabase } from '../../test/support/postgres-cluster.ts';
import { processorTime, residentMemory, startProgram, type Program } from './child.ts';
import { temporaryDirectory } from './running.ts';
import { addUsers, addUsersTo, secret } from './session-tokens.ts';

export interface GateProcess {
  /** `host:port` or `unix:/path` of the forward-auth listener of the authenticated entry point. */
  readonly address: string;
  /** `host:port` of the embedded front of the authenticated entry point; empty when it is off. */
  readonly front: string;
  /** `host:port` of the events app. */
  readonly events: string;
  /** The generated password of admin; empty in proxy mode. */
  readonly password: string;
  readonly pid: number;
  /** Resident memory in MiB. */
  residentMemory(): number;
  /** Seconds of processor time that it has taken. */
  processorTime(): number;
  close(): Promise<void>;
}

/**
 * The real program in a process of its own, with the users that session tokens are made for.
 * @param listen a Unix socket as nginx has it, or a port, since wrk has no Unix sockets
 * @param database the store; SQLite in its directory by default
 * @param environment more variables for the program
 */
export async function startGate(
  config: Record<string, unknown>,
  listen: 'socket' | 'port' = 'port',
  database?: PostgresDatabase,
  environment: Readonly<Record<string, string>> = {},
): Promise<GateProcess> {
  const directory = temporaryDirectory('gate');
  const networking = {
    listen: { authenticated: 'off', internal: 'off' },
    ...section(config, 'networking'),
    forward_auth: {
      authenticated: listen === 'port' ? '127.0.0.1:0' : `unix:${directory}/authenticated.sock`,
    },
  };
  const events = { listen: '127.0.0.1:0', ...section(config, 'events') };
  const store = database && { store: { url: database.urlAt() } };
  const document = { ...config, ...store, networking, events };
  writeFileSync(join(directory, 'config.yml'), stringify(document));
  const program = gateProgram({
    SERVICE_CONFIG_DIR: directory,
    SERVICE_JWT_SECRET: secret,
    ...environment,
  });
  const { pid, lines, stop } = await startProgram(program, isReady);
  if (database === undefined) addUsers(directory);
  else await addUsersTo(database);
  const ready = JSON.parse(lines.at(-1) ?? '') as Ready;
  return {
    address: ready.forwardAuthAuthenticated,
    front: ready.authenticated ?? '',
    events: ready.events,
    password: /password: (\S+)/.exec(lines.join('\n'))?.[1] ?? '',
    pid,
    residentMemory: () => residentMemory(pid),
    processorTime: () => processorTime(pid),
    close: stop,
  };
}

/** What `script/server` runs. */
export function gateProgram(environment: Readonly<Record<string, string>>): Program {
  const root = join(import.meta.dirname, '..', '..');
  const started = /^exec node (.*)\bdist\/main\.js$/m.exec(
    readFileSync(join(root, 'script', 'server'), 'utf8'),
  );
  if (started === null) throw new Error('script/server does not run dist/main.js');
  const options = (started[1] ?? '').split(' ').filter((option) => option !== '');
  return {
    command: process.execPath,
    arguments: [...options, join(root, 'dist', 'main.js')],
    environment: { LOG_LEVEL: 'info', ...compileCache(), ...environment },
  };
}

/** As script/setup has it. */
export function compileCache(): Readonly<Record<string, string>> {
  return { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' };
}

export function isReady(line: string): boolean {
  return line.includes('"msg":"ready"');
}

interface Ready {
  readonly forwardAuthAuthenticated: string;
  readonly authenticated?: string;
  readonly events: string;
}

function section(config: Record<string, unknown>, name: string): Record<string, unknown> {
  return (config[name] ?? {}) as Record<string, unknown>;
}
