import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startFaultyLink } from '../../support/faulty-link.ts';

/** A link to a server that sends what the test gives it. */
async function linkToEcho() {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (data) => {
      heard.push(data.toString());
      socket.write(data);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const link = await startFaultyLink((server.address() as AddressInfo).port);
  onTestFinished(async () => {
    await link.close();
    server.close();
  });
  return { link, heard };
}

async function connected(port: number) {
  const socket = connect(port, '127.0.0.1').on('error', () => socket.destroy());
  await once(socket, 'connect');
  let told = '';
  socket.on('data', (data) => (told += data.toString()));
  return { socket, told: () => told };
}

const failureOf = async (socket: Socket) =>
  ((await once(socket, 'error')) as [NodeJS.ErrnoException])[0].code;

test('a link passes what both ends say, and the end', async () => {
  const { link } = await linkToEcho();
  const { socket, told } = await connected(link.port);
  socket.end('one');
  await once(socket, 'close');
  expect(told()).toBe('one');
});

test('one that is cut resets whoever is connected and whoever connects, until it is restored', async () => {
  const { link } = await linkToEcho();
  const { socket } = await connected(link.port);
  link.cut();
  expect(await failureOf(socket)).toBe('ECONNRESET');
  expect(await failureOf(connect(link.port, '127.0.0.1'))).toBe('ECONNRESET');
  link.restore();
  const { socket: next, told } = await connected(link.port);
  next.write('again');
  await vi.waitFor(() => expect(told()).toBe('again'));
});

test('one that stalls passes nothing of old and new connections, and passes it when it is restored', async () => {
  const { link, heard } = await linkToEcho();
  const { socket, told } = await connected(link.port);
  link.stall();
  socket.write('one');
  const { socket: other } = await connected(link.port);
  other.write('two');
  const { link: healthy } = await linkToEcho();
  const { socket: beside, told: toldBeside } = await connected(healthy.port);
  beside.write('beside');
  await vi.waitFor(() => expect(toldBeside()).toBe('beside'));
  expect([heard, told()]).toEqual([[], '']);
  link.restore();
  await vi.waitFor(() => expect(heard.toSorted()).toEqual(['one', 'two']));
  await vi.waitFor(() => expect(told()).toBe('one'));
});

test('one that stalls for answers passes the questions', async () => {
  const { link, heard } = await linkToEcho();
  const { socket, told } = await connected(link.port);
  link.stall('answers');
  socket.write('one');
  await vi.waitFor(() => expect(heard).toEqual(['one']));
  expect(told()).toBe('');
  link.restore();
  await vi.waitFor(() => expect(told()).toBe('one'));
});

test('one that is slow passes everything later, in its order', async () => {
  const { link } = await linkToEcho();
  const { socket, told } = await connected(link.port);
  link.delay(50);
  const before = performance.now();
  for (const part of ['one ', 'two ', 'three']) socket.write(part);
  await vi.waitFor(() => expect(told()).toBe('one two three'), { interval: 5 });
  expect(performance.now() - before).toBeGreaterThanOrEqual(99);
});
