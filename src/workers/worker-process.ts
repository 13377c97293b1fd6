import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { connectPeer, type Peer } from './calls.ts';
import type { PrimaryHandlers, WorkerHandlers } from './messages.ts';

export interface WorkerProcess {
  readonly pid: number | undefined;
  readonly peer: Peer<WorkerHandlers>;
  /** Settles when it has ended, however. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Ends it at once. */
  kill(): void;
  /** It ends itself, since it has nobody to work for. */
  release(): void;
}

// The bundle has it beside this file too.
const program = join(import.meta.dirname, `gate-worker${extname(import.meta.filename)}`);

export function forkWorker(handlers: PrimaryHandlers): WorkerProcess {
  const child = fork(program, {
    // Sets, maps and what is undefined arrive as they are.
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // One that cannot even begin, and one that ends while something is sent to it.
  child.on('error', () => child.kill('SIGKILL'));
  const peer = connectPeer<WorkerHandlers>(
    {
      send: (message, handle, options, onSent) => {
        if (child.connected) child.send(message, handle, options, onSent);
        else onSent(new Error('the worker is not connected'));
      },
      onMessage: (take) => child.on('message', take),
    },
    handlers,
  );
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  return {
    pid: child.pid,
    peer,
    ended: exited.then(([code, signal]) => ({ code, signal })),
    kill: () => void child.kill('SIGKILL'),
    release: () => {
      if (child.connected) child.disconnect();
    },
  };
}
