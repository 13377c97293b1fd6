import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Who takes connections: settles when it has taken one. */
export type Taker = (listener: string, socket: Socket) => Promise<unknown>;

export interface Dispatcher {
  /** Hands a connection to the worker that waits longest for one. */
  dispatch(listener: string, socket: Socket): void;
  add(taker: Taker): void;
  /** It takes no more. What it was given and has not taken goes to others. */
  remove(taker: Taker): void;
  /** Settles when everybody who waited was handed over, or in the end let go. @param patience milliseconds */
  close(patience: number): Promise<void>;
}

/** As many as the system would let wait for a program that does not accept any. */
const mostWaiting = 4_096;

/**
 * Hands connections out, one at a time to each worker: one that is busy gets the next when it has taken the last, so that
 * connections wait for nobody while another could take them. The kernel, asked by several processes at once, would give most
 * of them to one; and a front that keeps its connections would stay there.
 */
export function createDispatcher(): Dispatcher {
  const waiting: Array<{ readonly listener: string; readonly socket: Socket }> = [];
  const idle: Taker[] = [];
  const takers = new Set<Taker>();

  const give = async (taker: Taker) => {
    const next = waiting.shift();
    if (next === undefined) return void idle.push(taker);
    try {
      await taker(next.listener, next.socket);
      // This process lets go of it; the other has it.
      next.socket.destroy();
    } catch {
      waiting.unshift(next);
      takers.delete(taker);
      wake();
    }
    if (takers.has(taker)) void give(taker);
  };
  const wake = () => {
    for (let left = waiting.length; left > 0; left -= 1) {
      const taker = idle.shift();
      if (taker === undefined) return;
      if (takers.has(taker)) void give(taker);
      else left += 1;
    }
  };

  return {
    dispatch: (listener, socket) => {
      // Nobody reads it here, and what is wrong with it whoever takes it learns.
      socket.on('error', () => undefined);
      if (waiting.length >= mostWaiting) return void socket.destroy();
      waiting.push({ listener, socket });
      wake();
    },
    add: (taker) => {
      takers.add(taker);
      void give(taker);
    },
    remove: (taker) => takers.delete(taker),
    close: async (patience) => {
      const deadline = performance.now() + patience;
      while (waiting.length > 0 && performance.now() < deadline) await pause(1);
      for (const { socket } of waiting.splice(0)) socket.destroy();
    },
  };
}
