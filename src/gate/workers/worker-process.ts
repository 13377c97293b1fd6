import { connectPeer, type Peer } from './calls.ts';
import type { PrimaryHandlers, WorkerHandlers } from './messages.ts';

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface WorkerProcess {
  readonly pid: number | undefined;
  readonly peer: Peer<WorkerHandlers>;
  /** Settles when it has ended, however. */
  readonly ended: Promise<Ended>;
  /** Ends it at once. */
  kill(): void;
  /** Likewise, and settles when it has ended. */
  end(): Promise<Ended>;
  /** It ends itself, since it has nobody to work for. */
  release(): void;
}

export function forkWorker(handlers: PrimaryHandlers): WorkerProcess {
  // One process alone does without.
  const { fork } = process.getBuiltinModule('node:child_process');
  const [, program = ''] = process.argv;
  const child = fork(program, ['worker'], {
    // Sets, maps and what is undefined arrive as they are.
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.on('error', () => {
      // It could not even begin: nothing else will be heard of it.
      if (child.pid === undefined) resolve({ code: null, signal: null });
      // What was sent did not arrive.
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
