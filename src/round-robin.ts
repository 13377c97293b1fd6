/** Work that lets others continue wherever it yields; between two yields it holds the thread. */
export type Sliced<T> = Generator<undefined, T, undefined>;

/** Does sliced work of many clients: one slice in each turn of the event loop, the clients one after the other. */
export interface RoundRobin {
  /** @returns what the work returns; what it throws rejects */
  run<T>(client: string, work: Sliced<T>): Promise<T>;
  /** How much of a client's work has not come to its end. */
  underWay(client: string): number;
}

/** Does one slice. @returns whether there is another one */
type NextSlice = () => boolean;

/**
 * So whatever else the process has to do waits for one slice at most, however many clients ask for much, and a client
 * who asks for much is served in turn with the others.
 */
export function createRoundRobin(): RoundRobin {
  // In the order of their turns. The work of one client is done piece by piece, so that the first is done early.
  const waiting = new Map<string, NextSlice[]>();

  const turn = () => {
    const first = waiting.entries().next().value;
    if (first === undefined) return;
    const [client, queue] = first;
    waiting.delete(client);
    if (queue[0]?.() === false) queue.shift();
    if (queue.length > 0) waiting.set(client, queue);
    if (waiting.size > 0) setImmediate(turn);
  };

  return {
    run: (client, work) =>
      new Promise((resolve, reject) => {
        if (waiting.size === 0) setImmediate(turn);
        const queue = waiting.get(client) ?? [];
        waiting.set(client, queue);
        queue.push(() => {
          try {
            const slice = work.next();
            if (slice.done === true) resolve(slice.value);
            return slice.done !== true;
          } catch (error) {
            reject(error);
            return false;
          }
        });
      }),
    underWay: (client) => waiting.get(client)?.length ?? 0,
  };
}
