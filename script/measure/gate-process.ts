import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { stringify } from 'yaml';

export interface GateProcess {
  /** Path of the forward-auth socket of the authenticated edge. */
  readonly socketPath: string;
  /** The generated password of admin. */
  readonly password: string;
  close(): Promise<void>;
}

/** The real program in a process of its own. */
export async function startGateProcess(config: Record<string, unknown>): Promise<GateProcess> {
  const directory = mkdtempSync(join(tmpdir(), 'postern-bench-'));
  const socketPath = join(directory, 'authenticated.sock');
  const networking = {
    listen: { authenticated: 'off', internal: 'off' },
    forward_auth: { authenticated: `unix:${socketPath}` },
  };
  writeFileSync(join(directory, 'config.yml'), stringify({ networking, ...config }));
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', '..', 'src', 'main.ts')], {
    env: { PATH: process.env['PATH'], SERVICE_CONFIG_DIR: directory, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let password = '';
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg } = JSON.parse(line) as { msg: string };
    password = /password: (\S+)/.exec(msg)?.[1] ?? password;
    if (msg === 'ready') break;
  }
  child.stdout.resume();
  return {
    socketPath,
    password,
    close: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
