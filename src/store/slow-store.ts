import pLimit from 'p-limit';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { withTimeout, type Clock, type Timers } from '../clock.ts';
import { AppError } from '../errors.ts';

// Milliseconds: the contract with operators, docs/growth.md.
const timeoutMs = 800;
const memory = 1_000;

/** @returns what `read` returns. @throws AppError `store_unavailable` if it fails or takes too long */
export async function readInTime<T extends object>(
  read: () => Promise<T>,
  { after }: Pick<Timers, 'after'>,
): Promise<T> {
  const found = await withTimeout(read(), timeoutMs, after).catch((cause: unknown) => {
    throw cause instanceof AppError ? cause : new AppError('store_unavailable', { cause });
  });
  if (found === undefined) throw new AppError('store_unavailable');
  return found;
}

/** A time by both clocks: the first stops while a machine sleeps, and the second can be set. */
export interface Moment {
  readonly elapsed: number;
  readonly now: number;
}

export const never: Moment = { elapsed: Number.NEGATIVE_INFINITY, now: Number.NEGATIVE_INFINITY };

interface Moments {
  present(): Moment;
  /** Whether an answer from that moment may still be used while the store does not answer. */
  isRecent(moment: Moment): boolean;
}

export function momentsBy(clock: Clock, { elapsed }: Pick<Timers, 'elapsed'>): Moments {
  return {
    present: () => ({ elapsed: elapsed(), now: clock.now() }),
    isRecent: (moment) => elapsed() - moment.elapsed < memory && Math.abs(clock.now() - moment.now) < memory,
  };
}

/** @returns the same read for all who ask for it by the same key while it runs */
export function readTogether<Key extends readonly number[]>(
  read: (...key: Key) => Promise<void>,
): (...key: Key) => Promise<void> {
  let running: { readonly key: Key; readonly ended: Promise<void> } | undefined;
  return async (...key) => {
    if (running === undefined || !key.every((part, index) => Object.is(part, running?.key[index]))) {
      const begun = { key, ended: read(...key) };
      running = begun;
      const forget = () => {
        if (running === begun) running = undefined;
      };
      begun.ended.then(forget, forget);
    }
    await running.ended;
  };
}

/**
 * Runs a question at once, or queues it.
 * @param known the answer if it is already known: checked first, and again when the question's turn comes, however late
 * @throws AppError `store_unavailable` when its turn comes too late, and what `ask` throws
 */
export type Limiter = <T>(ask: () => Promise<T>, known?: () => T | undefined) => Promise<T>;

// How long a decision may wait for an answer.
const turnTimeoutMs = 800;

// Behind so many, an answer would come too late anyway, unless it becomes known meanwhile.
const mostWaiting = 1_000;

/** @param most how many may ask at the same time */
export function createLimiter(most: number, elapsed: () => number = () => performance.now()): Limiter {
  const turns = pLimit(most);
  return async (ask, known) => {
    const began = elapsed();
    const found = known?.();
    if (found !== undefined) return found;
    if (known === undefined && turns.pendingCount >= mostWaiting) throw new AppError('store_unavailable');
    return turns(() => {
      const foundMeanwhile = known?.();
      if (foundMeanwhile !== undefined) return foundMeanwhile;
      if (elapsed() - began > turnTimeoutMs) throw new AppError('store_unavailable');
      return ask();
    });
  };
}

/** The most queries for each kind of question: the others share the same connections. */
const mostQueries = 2;

/** Keys in one query. */
const mostKeys = 500;

/** Answers delivered in one turn of the event loop: each is followed by a decision of some microseconds. */
const answeredAtOnce = 20;

interface Asker<Found> {
  readonly resolve: (found: Found | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches look-ups in a remote store: keys requested while two queries are under way go into the next one, so an answer is
 * never older than its question.
 * @param nameOf a different text for each key
 * @param ask reads the values of some keys, by their names. It settles in a bounded time
 * @returns a function that looks up one key; it returns `undefined` if there is no value
 */
export function askTogether<Key, Found>(
  nameOf: (key: Key) => string,
  ask: (keys: readonly Key[]) => Promise<ReadonlyMap<string, Found>>,
): (key: Key) => Promise<Found | undefined> {
  const wanted = new Map<string, { readonly key: Key; readonly askers: Array<Asker<Found>> }>();
  let underWay = 0;
  let isScheduled = false;

  const askSoon = () => {
    if (isScheduled || underWay === mostQueries || wanted.size === 0) return;
    isScheduled = true;
    setImmediate(() => void askNext());
  };
  const askNext = async () => {
    isScheduled = false;
    underWay += 1;
    const taken = [...wanted.entries().take(mostKeys)];
    for (const [name] of taken) wanted.delete(name);
    askSoon();
    let answer: (name: string, asker: Asker<Found>) => void;
    try {
      const found = await ask(taken.map(([, { key }]) => key));
      answer = (name, { resolve }) => resolve(found.get(name));
    } catch (error) {
      answer = (_, { reject }) => reject(error);
    }
    underWay -= 1;
    askSoon();
    let answered = 0;
    for (const [name, { askers }] of taken)
      for (const asker of askers) {
        if (answered > 0 && answered % answeredAtOnce === 0) await nextTurn();
        answer(name, asker);
        answered += 1;
      }
  };

  return (key) =>
    new Promise((resolve, reject) => {
      const name = nameOf(key);
      const same = wanted.get(name);
      if (same === undefined) wanted.set(name, { key, askers: [{ resolve, reject }] });
      else same.askers.push({ resolve, reject });
      askSoon();
    });
}

// Milliseconds.
const answerTimeoutMs = 30_000;
const pauseMs = 500;

/**
 * Reads from a store that is slow for a while, as it is when whole machines start at once.
 * @param read changes nothing
 * @throws what `read` throws: at once, or `store_unavailable` after 30 s
 */
export async function onceItAnswers<T>(read: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + answerTimeoutMs;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const isAway = error instanceof AppError && error.code === 'store_unavailable';
      if (!isAway || performance.now() > deadline) throw error;
    }
    await pause(pauseMs);
  }
}
