import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createDispatcher, type Dispatcher, type Taker } from '../../../../src/gate/workers/dispatcher.ts';

/** Both ends of several connections. */
async function connections(count: number) {
  const accepted: Socket[] = [];
  const server = createServer((socket) => accepted.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const clients = Array.from({ length: count }, () =>
    connect(port, '127.0.0.1').on('error', () => undefined),
  );
  onTestFinished(() => {
    for (const socket of [...clients, ...accepted]) socket.destroy();
    server.close();
  });
  await expect.poll(() => accepted.length).toBe(count);
  return accepted;
}

/** A worker that takes connections when the test lets it, and answers that it is there unless it is stopped. */
function worker() {
  const given: Array<{ readonly socket: Socket; readonly taken: () => void; readonly lost: () => void }> = [];
  let running = Promise.withResolvers<void>();
  running.resolve();
  const taker: Taker = {
    isThere: () => running.promise,
    take: (_, socket) =>
      new Promise((resolve, reject) => {
        given.push({ socket, taken: () => resolve(undefined), lost: () => reject(new Error('gone')) });
      }),
  };
  return {
    taker,
    given,
    stop: () => (running = Promise.withResolvers()),
    goOn: () => running.resolve(),
    end: () => running.reject(new Error('gone')),
  };
}

async function dispatch(dispatcher: Dispatcher, sockets: readonly Socket[]) {
  for (const socket of sockets) dispatcher.dispatch('a', socket);
  await nextTurn();
}

test('gives each worker one at a time, and delays no other worker for a busy one', async () => {
  const [one, other] = [worker(), worker()];
  const dispatcher = createDispatcher();
  dispatcher.add(one.taker);
  dispatcher.add(other.taker);
  await dispatch(dispatcher, await connections(5));
  expect([one.given.length, other.given.length]).toEqual([1, 1]);
  for (let taken = 0; taken < 3; taken += 1) {
    other.given.at(-1)?.taken();
    await nextTurn();
  }
  expect([one.given.length, other.given.length]).toEqual([1, 4]);
});

test('closes its handle of a connection once that is taken, and not before', async () => {
  const only = worker();
  const dispatcher = createDispatcher();
  dispatcher.add(only.taker);
  const [socket] = await connections(1);
  if (socket === undefined) throw new Error('there is no connection');
  await dispatch(dispatcher, [socket]);
  expect(socket.destroyed).toBe(false);
  only.given[0]?.taken();
  await expect.poll(() => socket.destroyed).toBe(true);
});

test('gives a connection that a worker did not take to another, before later ones', async () => {
  const [doomed, next] = [worker(), worker()];
  const dispatcher = createDispatcher();
  dispatcher.add(doomed.taker);
  const [first, second] = await connections(2);
  if (first === undefined || second === undefined) throw new Error('there is no connection');
  await dispatch(dispatcher, [first, second]);
  dispatcher.remove(doomed.taker);
  doomed.given[0]?.lost();
  await nextTurn();
  // No worker is there to take it.
  expect(first.destroyed).toBe(false);
  dispatcher.add(next.taker);
  await nextTurn();
  expect(next.given.map(({ socket }) => socket)).toEqual([first]);
  next.given[0]?.taken();
  await nextTurn();
  expect(next.given.map(({ socket }) => socket)).toEqual([first, second]);
  expect(doomed.given).toHaveLength(1);
});

test('gives nothing to a worker that does not answer: others get it once, and it gets later ones', async () => {
  const [stopped, other] = [worker(), worker()];
  const dispatcher = createDispatcher();
  dispatcher.add(stopped.taker);
  dispatcher.add(other.taker);
  stopped.stop();
  const [first, second, third] = await connections(3);
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('there is no connection');
  await dispatch(dispatcher, [first]);
  await expect.poll(() => other.given.map(({ socket }) => socket)).toEqual([first]);
  other.given[0]?.taken();
  await nextTurn();
  // No one waits for it a second time.
  await dispatch(dispatcher, [second]);
  expect(other.given.map(({ socket }) => socket)).toEqual([first, second]);
  stopped.goOn();
  await nextTurn();
  expect(stopped.given).toEqual([]);
  await dispatch(dispatcher, [third]);
  expect(stopped.given.map(({ socket }) => socket)).toEqual([third]);
  expect(other.given).toHaveLength(2);
});

test('keeps connections while the only worker does not answer, for it or its replacement', async () => {
  const [stopped, next] = [worker(), worker()];
  const dispatcher = createDispatcher();
  dispatcher.add(stopped.taker);
  const [first, second] = await connections(2);
  if (first === undefined || second === undefined) throw new Error('there is no connection');
  stopped.stop();
  await dispatch(dispatcher, [first]);
  stopped.goOn();
  await nextTurn();
  expect(stopped.given.map(({ socket }) => socket)).toEqual([first]);
  stopped.stop();
  stopped.given[0]?.taken();
  await dispatch(dispatcher, [second]);
  stopped.end();
  await nextTurn();
  dispatcher.add(next.taker);
  await nextTurn();
  expect(next.given.map(({ socket }) => socket)).toEqual([second]);
  expect(stopped.given).toHaveLength(1);
});

test('closes waiting connections at the end', async () => {
  const dispatcher = createDispatcher();
  const [socket] = await connections(1);
  if (socket === undefined) throw new Error('there is no connection');
  dispatcher.dispatch('a', socket);
  await dispatcher.close(0);
  expect(socket.destroyed).toBe(true);
});
