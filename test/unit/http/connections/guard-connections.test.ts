import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { cutStalled, createStallWatch, slowest } from '../../../../src/http/connections/guard-connections.ts';

// Only what the check itself uses: connections go on as they do.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const limits = { headerTimeout: 5_000, bodyTimeout: 3_000, writeTimeout: 2_000 };

async function watched(listener: RequestListener = () => undefined) {
  let current = limits;
  const cut: string[] = [];
  const server: Server = createServer(listener);
  cutStalled(
    server,
    () => current,
    (limit) => void cut.push(limit),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  return {
    server,
    cut,
    client,
    change: (changes: Partial<typeof limits>) => (current = { ...limits, ...changes }),
  };
}

test('header lines may take as long as the current limit says, and whole requests any time', async () => {
  const { server, change } = await watched();
  vi.advanceTimersByTime(1_000);
  expect([server.headersTimeout, server.requestTimeout]).toEqual([5_000, 0]);
  change({ headerTimeout: 7_000 });
  vi.advanceTimersByTime(1_000);
  expect(server.headersTimeout).toBe(7_000);
});

const begun = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nbody';

test('a body that stops is answered and cut after its limit', async () => {
  const arrived = Promise.withResolvers<void>();
  const { cut, client } = await watched((request) => request.once('data', () => arrived.resolve()));
  const socket = client();
  socket.write(begun);
  await arrived.promise;
  vi.advanceTimersByTime(3_000);
  expect(cut).toEqual([]);
  vi.advanceTimersByTime(2_000);
  expect(cut).toEqual(['body']);
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 408 /);
  await once(socket, 'close');
});

test('a body that goes on, fast enough, takes any time', async () => {
  let arrived = Promise.withResolvers<void>();
  const { cut, client } = await watched((request) => request.on('data', () => arrived.resolve()));
  const socket = client();
  socket.write(begun);
  for (let i = 1; i <= 5; i += 1) {
    await arrived.promise;
    vi.advanceTimersByTime(2_000);
    arrived = Promise.withResolvers();
    socket.write('x'.repeat(1_000));
  }
  expect(cut).toEqual([]);
});

test('an answer that is not read is cut after its limit', async () => {
  const written = Promise.withResolvers<void>();
  const { cut, client } = await watched((_, response) => {
    response.write(Buffer.alloc(50_000_000));
    written.resolve();
  });
  const socket = client();
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await written.promise;
  // Until the buffers of both ends are full.
  await vi.waitFor(() => {
    vi.advanceTimersByTime(1_000);
    expect(cut).toEqual(['write']);
  });
});

test('a connection between two requests is left alone', async () => {
  const { cut, client } = await watched((_, response) => void response.end('done'));
  const socket = client();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  vi.advanceTimersByTime(60_000);
  expect(cut).toEqual([]);
  expect(socket.destroyed).toBe(false);
});

/** Looks once a second, for as long as there are samples. @returns after how many seconds it was stalled */
function stalledAfter(samples: ReadonlyArray<readonly [isWaiting: boolean, moved: number]>, limit = 3_000) {
  const watch = createStallWatch();
  const second = samples.findIndex(([isWaiting, moved], at) =>
    watch.isStalled(isWaiting, moved, at * 1_000, limit),
  );
  return second === -1 ? undefined : second;
}

const seconds = (count: number, sample: (second: number) => readonly [boolean, number]) =>
  Array.from({ length: count }, (_, second) => sample(second));

test.each<[name: string, Parameters<typeof stalledAfter>[0], after: number | undefined]>([
  ['nothing moves', seconds(9, () => [true, 100]), 3],
  ['not waited for', seconds(9, () => [false, 100]), undefined],
  ['a byte now and then', seconds(9, (second) => [true, second]), 3],
  ['slow, but moving', seconds(9, (second) => [true, second * slowest]), undefined],
  ['a little too slow', seconds(9, (second) => [true, second * (slowest - 1)]), 3],
  ['waited for again', seconds(9, (second) => [second !== 2, 100]), 6],
  ['went on, then stopped', seconds(9, (second) => [true, Math.min(second, 4) * 10_000]), 7],
])('%s', (_, samples, after) => {
  expect(stalledAfter(samples)).toBe(after);
});
