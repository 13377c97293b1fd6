import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { stringify } from 'yaml';
import { startFaultyLink, type FaultyLink } from './faulty-link.ts';
import type { PostgresDatabase } from './postgres-cluster.ts';
import { programEnvironment } from './program-environment.ts';
import { projectRoot } from './start-gateway.ts';
import { startNginx, type RunningNginx } from './start-nginx.ts';

/** One process of the program, as each of several machines has it. */
export interface Gate {
  /** `unix:/path` of its forward-auth listener. */
  readonly address: string;
  /** Its way to PostgreSQL. */
  readonly link: FaultyLink;
  readonly directory: string;
  /** What it has written since its first start. */
  readonly output: () => string;
  readonly pid: () => number;
  /** @throws with its output, when it ends before it is ready */
  start(): Promise<void>;
  /** Ends it as an operator does, or by another signal. */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

export interface Gates {
  readonly gates: readonly Gate[];
  close(): Promise<void>;
}

interface GatesOptions {
  readonly count: number;
  readonly database: Pick<PostgresDatabase, 'urlAt'>;
  /** Of the config.yml of each. */
  readonly config?: object;
  /** Random by default. */
  readonly jwtSecret?: string;
}

/** Gates with one JWT secret and one database, which have not started. */
export async function prepareGates(options: GatesOptions): Promise<Gates> {
  const { count, database, config = {}, jwtSecret = randomBytes(64).toString('hex') } = options;
  const directory = mkdtempSync(join(tmpdir(), 'postern-gates-'));
  const port = Number(new URL(database.urlAt()).port);
  const prepare = async (_: unknown, index: number): Promise<Gate> => {
    const link = await startFaultyLink(port);
    const own = join(directory, `gate-${index}`);
    mkdirSync(own);
    const socket = (name: string) => `unix:${own}/${name}.sock`;
    const networking = {
      listen: { authenticated: 'off', internal: 'off' },
      forward_auth: { authenticated: socket('authenticated'), internal: socket('internal') },
    };
    const document = {
      networking,
      store: { url: database.urlAt(link.port) },
      events: { listen: socket('events') },
    };
    writeFileSync(join(own, 'config.yml'), stringify({ ...document, ...config }));
    const environment = { SERVICE_CONFIG_DIR: own, SERVICE_JWT_SECRET: jwtSecret };
    return { address: socket('authenticated'), link, directory: own, ...createProgram(environment) };
  };
  const gates = await Promise.all(Array.from({ length: count }, prepare));
  return {
    gates,
    close: async () => {
      await Promise.all(gates.map((gate) => gate.end('SIGKILL')));
      await Promise.all(gates.map(({ link }) => link.close()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The same, started: the first one alone, which makes the tables and the admin. */
export async function startGates(options: GatesOptions): Promise<Gates> {
  const prepared = await prepareGates(options);
  const [first, ...others] = prepared.gates;
  await first?.start();
  await Promise.all(others.map((gate) => gate.start()));
  return prepared;
}

/** nginx with the project's own configuration before all of them, in turns. */
export function startNginxBefore({ gates }: Gates): Promise<RunningNginx> {
  const servers = (name: string) =>
    gates.map(({ directory }) => `unix:${directory}/${name}.sock`).join(';\n    server ');
  return startNginx({
    gateway: { authenticated: servers('authenticated'), internal: servers('internal') },
    recorder: `unix:${gates[0]?.directory}/events.sock`,
  });
}

function createProgram(environment: Readonly<Record<string, string>>) {
  let child: ChildProcess | undefined;
  let output = '';
  return {
    output: () => output,
    pid: () => child?.pid ?? 0,
    start: async () => {
      const started = spawn(process.execPath, [join(projectRoot, 'dist', 'main.js')], {
        env: { ...programEnvironment(), ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      started.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const before = output.length;
      for await (const line of createInterface({ input: started.stdout })) {
        output += `${line}\n`;
        if (!line.includes('"msg":"ready"')) continue;
        started.stdout.on('data', (chunk: Buffer) => (output += chunk.toString())).resume();
        return;
      }
      throw new Error(output.slice(before));
    },
    end: async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    },
  };
}
