import { setImmediate as nextTurn } from 'node:timers/promises';

/** Per kind of question: the others share the same connections. */
const mostQueries = 2;

/** Of one query. */
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
 * @returns a function that looks up one key; it returns undefined when there is no value
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
