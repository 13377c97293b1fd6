import { connectPeer, type Peer } from './calls.ts';
import type { PrimaryHandlers, WorkerHandlers } from './messages.ts';

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface WorkerProcess {
  readonly pid: number | undefined;
  readonly peer: Peer<WorkerHandlers>;
  /** Settles when it has ended, for any reason. */
  readonly ended: Promise<Ended>;
  /** Kills it. */
  kill(): void;
  /** Kills it, and settles when it has ended. */
  end(): Promise<Ended>;
  /** Disconnects: it ends itself without a primary. */
  release(): void;
}

export function forkWorker(handlers: PrimaryHandlers): WorkerProcess {
  // Imported here: a gate of one process does not need it.
  const { fork } = process.getBuiltinModule('node:child_process');
  const [, program = ''] = process.argv;
  const child = fork(program, ['worker'], {
    // Sends sets, maps and undefined as they are.
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.on('error', () => {
      // It could not even start: no other event follows.
      if (child.pid === undefined) resolve({ code: null, signal: null });
      // The message did not arrive.
      else child.kill('SIGKILL');
    });
  });
  const peer = connectPeer<WorkerHandlers>(
    {
      send: (message, handle, options, onSent) => {
        if (child.connected) child.send(message, handle, options, onSent);
        else onSent(new Error('the worker is not connected'));
      },
      onMessage: (take) => child.on('message', take),
    },
    () => handlers,
  );
  const kill = () => void child.kill('SIGKILL');
  return {
    pid: child.pid,
    peer,
    ended,
    kill,
    end: () => {
      kill();
      return ended;
    },
    release: () => {
      if (child.connected) child.disconnect();
    },
  };
}
