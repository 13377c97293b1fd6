import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createDispatcher, type Taker } from '../../../src/workers/dispatcher.ts';

/** Both ends of so many connections. */
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

/** A worker that takes what it is given when it is told to. */
function worker() {
  const given: Array<{ readonly socket: Socket; readonly taken: () => void; readonly lost: () => void }> = [];
  const take: Taker = (_, socket) =>
    new Promise((resolve, reject) => {
      given.push({ socket, taken: () => resolve(undefined), lost: () => reject(new Error('gone')) });
    });
  return { take, given };
}

test('each worker gets one at a time, and a busy one waits for nobody else', async () => {
  const [one, other] = [worker(), worker()];
  const dispatcher = createDispatcher();
  dispatcher.add(one.take);
  dispatcher.add(other.take);
  for (const socket of await connections(5)) dispatcher.dispatch('a', socket);
  expect([one.given.length, other.given.length]).toEqual([1, 1]);
  for (let taken = 0; taken < 3; taken += 1) {
    other.given.at(-1)?.taken();
    await nextTurn();
  }
  expect([one.given.length, other.given.length]).toEqual([1, 4]);
});

test('what is taken is let go of here, and not before', async () => {
  const only = worker();
  const dispatcher = createDispatcher();
  dispatcher.add(only.take);
  const [socket] = await connections(1);
  if (socket === undefined) throw new Error('there is no connection');
  dispatcher.dispatch('a', socket);
  expect(socket.destroyed).toBe(false);
  only.given[0]?.taken();
  await expect.poll(() => socket.destroyed).toBe(true);
});

test('what a worker was given and did not take goes to another, before what came later', async () => {
  const [doomed, next] = [worker(), worker()];
  const dispatcher = createDispatcher();
  dispatcher.add(doomed.take);
  const [first, second] = await connections(2);
  if (first === undefined || second === undefined) throw new Error('there is no connection');
  dispatcher.dispatch('a', first);
  dispatcher.dispatch('a', second);
  dispatcher.remove(doomed.take);
  doomed.given[0]?.lost();
  await nextTurn();
  // Nobody is there to take it.
  expect(first.destroyed).toBe(false);
  dispatcher.add(next.take);
  expect(next.given.map(({ socket }) => socket)).toEqual([first]);
  next.given[0]?.taken();
  await nextTurn();
  expect(next.given.map(({ socket }) => socket)).toEqual([first, second]);
  expect(doomed.given).toHaveLength(1);
});

test('what waits at the end is closed', async () => {
  const dispatcher = createDispatcher();
  const [socket] = await connections(1);
  if (socket === undefined) throw new Error('there is no connection');
  dispatcher.dispatch('a', socket);
  await dispatcher.close(0);
  expect(socket.destroyed).toBe(true);
});
