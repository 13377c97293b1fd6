import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { stringify } from 'yaml';
import { configurationSchema } from '../../src/config/schema.ts';
import { startProgram } from './child.ts';
import { temporaryDirectory } from './running.ts';
import { addUsers, secret } from './session-tokens.ts';

export interface GateProcess {
  /** `host:port` or `unix:/path` of the forward-auth listener of the authenticated entry point. */
  readonly address: string;
  /** `host:port` of the embedded front of the authenticated entry point; empty when it is off. */
  readonly front: string;
  /** `host:port` of the events app. */
  readonly events: string;
  /** The generated password of admin; empty in proxy mode. */
  readonly password: string;
  /** Resident memory in MiB. */
  residentMemory(): number;
  close(): Promise<void>;
}

/** MiB of the caches by default; undefined in a Postern that has none. */
export const defaultCache = (v.parse(configurationSchema, {}) as { readonly cache?: { sessions: number } })
  .cache;

/** A part of config.yml for a Postern that has caches, and none for one that has not. */
export function cacheConfig(cache: { readonly sessions?: number }): Record<string, unknown> {
  return defaultCache === undefined ? {} : { cache };
}

/**
 * The real program in a process of its own, with the users that session tokens are made for.
 * @param listen a Unix socket as nginx has it, or a port, since wrk knows no Unix sockets
 */
export async function startGate(
  config: Record<string, unknown>,
  listen: 'socket' | 'port' = 'port',
): Promise<GateProcess> {
  const directory = temporaryDirectory('gate');
  const networking = {
    listen: { authenticated: 'off', internal: 'off' },
    ...section(config, 'networking'),
    forward_auth: {
      authenticated: listen === 'port' ? '127.0.0.1:0' : `unix:${directory}/authenticated.sock`,
    },
  };
  const document = { ...config, networking, events: { listen: '127.0.0.1:0', ...section(config, 'events') } };
  writeFileSync(join(directory, 'config.yml'), stringify(document));
  const main = join(import.meta.dirname, '..', '..', 'dist', 'main.js');
  const { pid, lines, stop } = await startProgram(
    {
      command: process.execPath,
      arguments: [main],
      environment: { SERVICE_CONFIG_DIR: directory, SERVICE_JWT_SECRET: secret, LOG_LEVEL: 'info' },
    },
    (line) => line.includes('"msg":"ready"'),
  );
  addUsers(directory);
  const ready = JSON.parse(lines.at(-1) ?? '') as Ready;
  return {
    address: ready.forwardAuthAuthenticated,
    front: ready.authenticated ?? '',
    events: ready.events,
    password: /password: (\S+)/.exec(lines.join('\n'))?.[1] ?? '',
    residentMemory: () =>
      Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024,
    close: stop,
  };
}

interface Ready {
  readonly forwardAuthAuthenticated: string;
  readonly authenticated?: string;
  readonly events: string;
}

function section(config: Record<string, unknown>, name: string): Record<string, unknown> {
  return (config[name] ?? {}) as Record<string, unknown>;
}
