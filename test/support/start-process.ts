import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi, expect, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { projectRoot } from './start-gateway.ts';
import { patience } from './patience.ts';

export interface RunningProcess {
  /** Where each listener is: `host:port` or `unix:/path`. */
  readonly addresses: Readonly<Record<'authenticated' | 'internal', string>>;
  readonly directory: string;
  readonly pid: number;
  readonly exited: Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  readonly output: () => string;
  /** Bytes of memory that it has at the moment. */
  readonly residentMemory: () => number;
  /** Files and connections that it has open at the moment. */
  readonly openFiles: () => number;
}

/** Ids of the processes that a process has started, by all of its threads. */
export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}

/**
 * The real process on free ports, until the test is finished.
 * @param config may be made of its directory
 * @param limit a command of the shell that comes before it, such as `ulimit -n 256`
 */
export async function startProcess(
  config: object | ((directory: string) => object),
  limit = ':',
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningProcess> {
  const directory = mkdtempSync(join(tmpdir(), 'postern-process-'));
  const networking = { listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' } };
  writeFileSync(
    join(directory, 'config.yml'),
    stringify({ networking, ...(typeof config === 'function' ? config(directory) : config) }),
  );
  const command = `${limit}; exec "$@"`;
  const program = [process.execPath, join(projectRoot, 'dist', 'main.js')];
  const child = spawn('bash', ['-c', command, 'bash', ...program], {
    env: { PATH: process.env['PATH'], SERVICE_CONFIG_DIR: directory, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
    rmSync(directory, { recursive: true, force: true });
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await vi.waitFor(() => expect(output).toContain('"msg":"ready"'), { timeout: patience });
  const ready = output.split('\n').find((line) => line.includes('"msg":"ready"'));
  return {
    addresses: JSON.parse(ready ?? '{}') as RunningProcess['addresses'],
    directory,
    pid: child.pid ?? 0,
    exited: exited as Promise<[number | null, NodeJS.Signals | null]>,
    output: () => output,
    residentMemory: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024;
    },
    openFiles: () => readdirSync(`/proc/${child.pid}/fd`).length,
  };
}
