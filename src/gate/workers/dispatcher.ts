import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What takes connections, one at a time. */
export interface Taker {
  /** Asked before it is given one. Settles when it answers, which shows that it runs. */
  isThere(): Promise<unknown>;
  /** Settles when it has taken it. @throws when it never will, and reads nothing of it any more */
  take(listener: string, socket: Socket): Promise<unknown>;
}

export interface Dispatcher {
  /** Hands a connection to the worker that waits longest for one. */
  dispatch(listener: string, socket: Socket): void;
  add(taker: Taker): void;
  /** It takes no more. What it was given and has not taken goes to others. */
  remove(taker: Taker): void;
  /** Settles when everybody who waited was handed over, or in the end let go. @param timeoutMs milliseconds */
  close(timeoutMs: number): Promise<void>;
}

/** As many as the system would let wait for a program that does not accept any. */
const mostWaiting = 4_096;

/** Milliseconds in which a worker answers. When it is late, the next one is asked too. */
const answerTimeoutMs = 200;

/**
 * Hands connections out, one at a time to each worker: one that is busy gets the next when it has taken the last, so that
 * connections wait for nobody while another could take them. The kernel, asked by several processes at once, would give most
 * of them to one; and a front that keeps its connections would stay there.
 *
 * A connection belongs to no worker before one has answered that it is there: one that is stopped holds none up. Only what was
 * given to a worker at that moment stays with it until it has ended, since two processes must never read the same connection.
 */
export function createDispatcher(): Dispatcher {
  const waiting: Array<{ readonly listener: string; readonly socket: Socket }> = [];
  const idle: Taker[] = [];
  const takers = new Set<Taker>();

  /** Workers that are asked, each for one of those who wait. */
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
      // It may have been removed meanwhile, or others may have taken all.
      if (takers.has(taker)) next = waiting.shift();
      if (next !== undefined) {
        await taker.take(next.listener, next.socket);
        // This process lets go of it; the other has it.
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
      // Nobody reads it here, and what is wrong with it whoever takes it learns.
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
