import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Takes connections, one at a time. */
export interface Taker {
  /** Called before it is given a connection. Settles when it answers, which shows that it runs. */
  isThere(): Promise<unknown>;
  /** Settles when it has taken the connection. @throws when it never will, and no longer reads from it */
  take(listener: string, socket: Socket): Promise<unknown>;
}

export interface Dispatcher {
  /** Hands a connection to the worker that has waited longest for one. */
  dispatch(listener: string, socket: Socket): void;
  add(taker: Taker): void;
  /** It takes no more. A connection that it was given and has not taken goes to others. */
  remove(taker: Taker): void;
  /** Settles when all waiting connections were handed over, or dropped after the timeout. */
  close(timeoutMs: number): Promise<void>;
}

/** The usual length of a system's queue for a program that does not accept. */
const mostWaiting = 4_096;

/** A worker that answers later than this: the next one is asked too. */
const answerTimeoutMs = 200;

/**
 * Hands connections out, one at a time to each worker: one that is busy gets the next when it has taken the last, so that
 * no connection waits while another worker is free. If several processes accepted, the kernel would give most connections
 * to one of them, and a front that keeps its connections would stay there.
 *
 * A connection is given to a worker only after the worker has answered, so that a stopped one delays none. Only what a
 * worker was given at that moment stays with it until it has ended, since two processes must never read one connection.
 */
export function createDispatcher(): Dispatcher {
  const waiting: Array<{ readonly listener: string; readonly socket: Socket }> = [];
  const idle: Taker[] = [];
  const takers = new Set<Taker>();

  /** Workers that are asked, each for one of the waiting connections. */
  let asked = 0;

  const answerOf = async (taker: Taker) => {
    asked += 1;
    let isCounted = true;
    const uncount = () => {
      if (isCounted) asked -= 1;
      isCounted = false;
    };
    const late = setTimeout(() => {
      uncount();
      wake();
    }, answerTimeoutMs);
    try {
      await taker.isThere();
    } finally {
      clearTimeout(late);
      uncount();
    }
  };
  const give = async (taker: Taker) => {
    let next: (typeof waiting)[number] | undefined;
    try {
      await answerOf(taker);
      // The worker may have been removed meanwhile, or others may have taken all connections.
      if (takers.has(taker)) next = waiting.shift();
      if (next !== undefined) {
        await taker.take(next.listener, next.socket);
        // This process closes its handle; the worker has its own.
        next.socket.destroy();
      }
    } catch {
      if (next !== undefined) waiting.unshift(next);
      takers.delete(taker);
    }
    if (takers.has(taker)) idle.push(taker);
    wake();
  };
  const wake = () => {
    while (asked < waiting.length) {
      const taker = idle.shift();
      if (taker === undefined) return;
      if (takers.has(taker)) void give(taker);
    }
  };

  return {
    dispatch: (listener, socket) => {
      // Nothing reads it here; the worker that takes it gets its errors.
      socket.on('error', () => undefined);
      if (waiting.length >= mostWaiting) return void socket.destroy();
      waiting.push({ listener, socket });
      wake();
    },
    add: (taker) => {
      takers.add(taker);
      idle.push(taker);
      wake();
    },
    remove: (taker) => takers.delete(taker),
    close: async (timeoutMs) => {
      const deadline = performance.now() + timeoutMs;
      while (waiting.length > 0 && performance.now() < deadline) await pause(1);
      for (const { socket } of waiting.splice(0)) socket.destroy();
    },
  };
}
