import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi, expect, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { projectRoot } from './start-gateway.ts';

export interface RunningProcess {
  /** Where each listener is: `host:port` or `unix:/path`. */
  readonly addresses: Readonly<Record<'authenticated' | 'internal', string>>;
  readonly directory: string;
  readonly output: () => string;
  /** Bytes of memory that it has at the moment. */
  readonly residentMemory: () => number;
  /** Files and connections that it has open at the moment. */
  readonly openFiles: () => number;
}

/**
 * The real process on free ports, until the test is finished.
 * @param limit a command of the shell that comes before it, such as `ulimit -n 256`
 */
export async function startProcess(config: object, limit = ':'): Promise<RunningProcess> {
  const directory = mkdtempSync(join(tmpdir(), 'postern-process-'));
  const networking = { listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' } };
  writeFileSync(join(directory, 'config.yml'), stringify({ networking, ...config }));
  const command = `${limit}; exec "$@"`;
  const program = [process.execPath, join(projectRoot, 'dist', 'main.js')];
  const child = spawn('bash', ['-c', command, 'bash', ...program], {
    env: { PATH: process.env['PATH'], SERVICE_CONFIG_DIR: directory },
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
  await vi.waitFor(() => expect(output).toContain('"msg":"ready"'), { timeout: 60_000 });
  const ready = output.split('\n').find((line) => line.includes('"msg":"ready"'));
  return {
    addresses: JSON.parse(ready ?? '{}') as RunningProcess['addresses'],
    directory,
    output: () => output,
    residentMemory: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024;
    },
    openFiles: () => readdirSync(`/proc/${child.pid}/fd`).length,
  };
}
