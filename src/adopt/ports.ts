import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenerKeys } from '../config/changes.ts';
import type { Configuration } from '../config/configuration.ts';
import { describeAddress } from '../config/listen.ts';

interface Listener {
  readonly key: string;
  readonly host: string | undefined;
  readonly port: number;
}

/** Says which ports Postern will take, and which of them another program has. */
export async function describePorts(configuration: Configuration): Promise<readonly string[]> {
  const listeners = portsOf(configuration);
  if (listeners.length === 0) return [];
  const named = listeners.map((listener) => `${describeAddress(listener)} (${listener.key})`);
  const taken: string[] = [];
  for (const listener of listeners)
    if (await isTaken(listener))
      taken.push(
        `  note: ${describeAddress(listener)} is taken on this machine, perhaps by Frigate: free it before Postern starts, or set ${listener.key} in Postern's config.yml to another`,
      );
  return [`  listen, from Postern's start on, on ${named.join(' and ')}`, ...taken];
}

function portsOf({ listen }: Configuration): readonly Listener[] {
  return Object.entries(listenerKeys).flatMap(([name, key]) => {
    const address = listen[name as keyof typeof listenerKeys];
    return address === undefined || 'path' in address || address.port === 0 ? [] : [{ key, ...address }];
  });
}

async function isTaken({ host, port }: Listener): Promise<boolean> {
  const server = createServer().listen({ host, port, exclusive: true });
  try {
    await once(server, 'listening');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  } finally {
    server.close();
  }
}
