import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { freePort } from '../../test/support/ports.ts';
import { sendRaw } from '../../test/support/raw-http.ts';
import {
  addUsers,
  secret,
  sessionToken,
  viewerToken,
  type NamedUser,
} from '../../test/support/session-tokens.ts';
import { startNginx, startProgram, temporaryDirectory, type Program, type Started } from './programs.ts';
import {
  cameras,
  makeRecorderDatabase,
  neighbourCameras,
  questionHeaders,
  type Visitor,
} from './questions.ts';

/** What V8 compiled at an earlier start, as script/setup keeps it. */
const environment = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' };

/** Postern as `script/server` runs it, in a process of its own. */
export interface Gate extends Pick<Started, 'pid'> {
  /** `host:port` or `unix:/path` where a front asks. */
  readonly address: string;
  /** `host:port` of the embedded front; empty when it is off. */
  readonly front: string;
  /** The generated password of admin. */
  readonly password: string;
}

interface GateOptions {
  /** A Unix socket as nginx has it, or a port, since wrk has no Unix sockets. */
  readonly listen?: 'socket' | 'port';
  readonly users?: readonly NamedUser[];
}

/** Starts Postern with the users that session tokens are made for. */
export async function startGate(
  config: Readonly<Record<string, unknown>>,
  { listen = 'port', users }: GateOptions = {},
): Promise<Gate> {
  const directory = temporaryDirectory('gate');
  const networking = {
    listen: { authenticated: 'off', internal: 'off' },
    ...(config['networking'] as object | undefined),
    forward_auth: {
      authenticated: listen === 'port' ? '127.0.0.1:0' : `unix:${directory}/authenticated.sock`,
    },
  };
  const events = { listen: '127.0.0.1:0', ...(config['events'] as object | undefined) };
  writeFileSync(join(directory, 'config.yml'), stringify({ ...config, networking, events }));
  const program = gateProgram({ SERVICE_CONFIG_DIR: directory, SERVICE_JWT_SECRET: secret });
  const { pid, lines } = await startProgram(program, isReady);
  addUsers(directory, users);
  const ready = JSON.parse(lines.at(-1) ?? '') as Readonly<Record<string, string | undefined>>;
  return {
    pid,
    address: ready['forwardAuthAuthenticated'] ?? '',
    front: ready['authenticated'] ?? '',
    password: /password: (\S+)/.exec(lines.join('\n'))?.[1] ?? '',
  };
}

/** What `script/server` runs. */
export function gateProgram(variables: Readonly<Record<string, string>>): Program {
  const project = join(import.meta.dirname, '..', '..');
  const script = readFileSync(join(project, 'script', 'server'), 'utf8');
  const [, options] = /^exec node (.*)\bdist\/main\.js$/m.exec(script) ?? [];
  if (options === undefined) throw new Error('script/server does not run dist/main.js');
  return {
    command: process.execPath,
    arguments: [...options.split(' ').filter(Boolean), join(project, 'dist', 'main.js')],
    environment: { LOG_LEVEL: 'info', ...environment, ...variables },
  };
}

export function isReady(line: string): boolean {
  return line.includes('"msg":"ready"');
}

export function cookieOf(visitor: Visitor): string {
  return `session_token=${visitor === 'viewer' ? viewerToken() : sessionToken('neighbour', 'neighbour')}`;
}

/** `node:http` in a process of its own that answers what the gate answers to one question. */
export async function startBare(
  gate: Pick<Gate, 'address'>,
  cookie: string,
  listen = '127.0.0.1:0',
): Promise<{ readonly address: string; readonly pid: number }> {
  const headers = Object.entries(questionHeaders(cookie, '/api/events?limit=25'));
  const answer = await sendRaw(gate.address, { uri: '/auth', headers });
  if (answer.status !== 200) throw new Error(`the gate answers ${answer.status}`);
  const own = [...answer.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  const lines = own.flatMap(([name, values]) => values.flatMap((value) => [name, value]));
  const started = await startProgram(bareProgram(listen, lines));
  return { address: started.lines[0] ?? '', pid: started.pid };
}

/** `node:http`, which answers with these header lines. */
export function bareProgram(listen = '127.0.0.1:0', lines: readonly string[] = []): Program {
  const file = join(import.meta.dirname, 'bare-server.mjs');
  return { command: process.execPath, arguments: [file, listen, JSON.stringify(lines)], environment };
}

export interface Site {
  readonly directory: string;
  /** `host:port` of the recorder. */
  readonly recorder: string;
  /** Of a gate in front of it. */
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * The fastest recorder there is: nginx, one worker, from memory. It has the role `neighbour`.
 * @param locations of nginx, besides
 */
export async function openSite(events: number, locations = ''): Promise<Site> {
  const directory = temporaryDirectory('site');
  const database = join(directory, 'recorder.db');
  makeRecorderDatabase(database, events);
  const recorder = `127.0.0.1:${await freePort()}`;
  const profile = { username: 'postern', role: 'neighbour', allowed_cameras: neighbourCameras };
  await startNginx(
    directory,
    recorder,
    `server {
    listen ${recorder};
    root ${directory};
    default_type application/json;
    location = /api/profile { return 200 '${JSON.stringify(profile)}'; }
    ${locations}
    location / { return 200 "[]"; }
  }`,
  );
  const config = {
    cameras,
    auth: { roles: { neighbour: neighbourCameras } },
    events: { database },
    upstream: `http://${recorder}`,
  };
  return { directory, recorder, config };
}

/** Waits until the gate has verified the role `neighbour`. */
export async function roleVerified({ address }: Gate): Promise<void> {
  const headers = Object.entries(questionHeaders(cookieOf('neighbour'), '/api/labels'));
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if ((await sendRaw(address, { uri: '/auth', headers })).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the gate has not verified the role neighbour');
}
