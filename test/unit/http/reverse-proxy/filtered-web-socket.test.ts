import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { filterWebSocket, openWebSocket } from '../../../../src/http/reverse-proxy/filtered-web-socket.ts';
import {
  anything,
  onlyText,
  onlyTextOfClient,
  type MessageFilter,
} from '../../../../src/http/reverse-proxy/message-filter.ts';
import { connectorTo } from '../../../../src/recorder/upstream-pool.ts';

const passAll: MessageFilter = {
  accepted: anything,
  toClient: (text) => text,
  toUpstream: (text) => text,
  needsClient: () => false,
  onDecided: () => undefined,
  ending: () => [],
};

const wanted = (left: AbortSignal, { accepted }: MessageFilter) => ({
  path: '/ws',
  headers: [],
  left,
  accepted,
});

/** A client and an upstream, joined by a filter. */
async function joined(changes: Partial<MessageFilter>, options?: ConstructorParameters<typeof WebSocket>[2]) {
  const filter = { ...passAll, ...changes };
  const ended = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: 0 });
  await once(ended, 'listening');
  const upstreamAt = { origin: `http://127.0.0.1:${(ended.address() as AddressInfo).port}` };
  const connect = await connectorTo(upstreamAt, 5_000);
  const sockets: Duplex[] = [];
  const unsent = Promise.withResolvers<readonly string[]>();
  const server = createServer().listen(0, '127.0.0.1');
  server.on('upgrade', (request, socket, head) => {
    sockets.push(socket);
    socket.on('error', () => socket.destroy());
    void openWebSocket(connect, wanted(new AbortController().signal, filter))
      .then((upstream) => filterWebSocket({ request, socket, head }, upstream, filter))
      .then(unsent.resolve);
  });
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    ended.close();
  });
  const arrived = once(ended, 'connection') as Promise<[WebSocket]>;
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`, options);
  client.on('error', () => undefined);
  await once(client, 'open');
  const [upstream] = await arrived;
  const heard: string[] = [];
  upstream.on('message', (data) => heard.push((data as Buffer).toString()));
  upstream.on('close', (code) => heard.push(`closed ${code}`));
  onTestFinished(() => {
    client.terminate();
    upstream.terminate();
  });
  return { client, upstream, heard, unsent: unsent.promise, cut: () => sockets[0]?.destroy() };
}

const untilClosed = (heard: readonly string[]) =>
  expect.poll(() => heard.some((text) => text.startsWith('closed'))).toBe(true);

test('where anything passes, so does what is binary or long, unchanged', async () => {
  const { client, upstream } = await joined({});
  const bytes = Buffer.from([0, 0xff, 0xfe, 0x80]);
  const long = 'x'.repeat(3_000_000);
  const toClient: Array<readonly [string, boolean]> = [];
  client.on('message', (data, isBinary) => toClient.push([(data as Buffer).toString('latin1'), isBinary]));
  upstream.send(bytes);
  upstream.send(long);
  await expect
    .poll(() => toClient)
    .toEqual([
      [bytes.toString('latin1'), true],
      [long, false],
    ]);
  const toUpstream: Array<readonly [number, boolean]> = [];
  upstream.on('message', (data, isBinary) => toUpstream.push([(data as Buffer).length, isBinary]));
  client.send(bytes);
  client.send('y'.repeat(500_000));
  await expect
    .poll(() => toUpstream)
    .toEqual([
      [4, true],
      [500_000, false],
    ]);
});

test.each<readonly [name: string, leave: (of: Awaited<ReturnType<typeof joined>>) => void, code: number]>([
  ['closes', ({ client }) => client.close(4_001), 4_001],
  ['is reset', ({ client }) => client.terminate(), 1_005],
  ['is cut', ({ cut }) => cut(), 1_005],
  ['breaks the protocol', ({ client }) => client.send('x'.repeat(1_100_000)), 1_005],
])('what the client has begun ends when it %s, before the upstream is closed', async (_, leave, code) => {
  let begun: string[] = [];
  const of = await joined({
    toUpstream: (text) => {
      begun.push(`end ${text}`);
      return text;
    },
    ending: () => begun.splice(0),
  });
  of.client.send('one');
  of.client.send('two');
  await expect.poll(() => of.heard).toEqual(['one', 'two']);
  leave(of);
  await untilClosed(of.heard);
  expect(of.heard.slice(0, 4)).toEqual(['one', 'two', 'end one', 'end two']);
  expect(of.heard).toHaveLength(5);
  if (code === 4_001) expect(of.heard[4]).toBe('closed 4001');
  begun = [];
});

test.each<readonly [how: string, close: (upstream: WebSocket) => void]>([
  ['closes', (upstream) => upstream.close()],
  ['is cut', (upstream) => upstream.terminate()],
])('what the client has begun is told to who can end it when the upstream %s first', async (_, close) => {
  const { upstream, unsent, heard } = await joined({ ending: () => ['stop the camera', 'hang up'] });
  close(upstream);
  expect(await unsent).toEqual(['stop the camera', 'hang up']);
  expect(heard.filter((text) => !text.startsWith('closed'))).toEqual([]);
});

test('nothing is left to tell when the client closes first', async () => {
  const { client, unsent, heard } = await joined({ ending: () => ['stop the camera'] });
  client.close();
  expect(await unsent).toEqual([]);
  expect(heard[0]).toBe('stop the camera');
});

test('what a decision ends is ended while the WebSocket stays', async () => {
  let decide: (messages: readonly string[]) => void = () => undefined;
  const { client, heard } = await joined({
    onDecided: (call) => {
      decide = call;
    },
  });
  decide(['end']);
  await expect.poll(() => heard).toEqual(['end']);
  client.send('more');
  await expect.poll(() => heard).toEqual(['end', 'more']);
});

test('a client that is gone without a word is cut, as long as it is needed', async () => {
  const ending = ['end'];
  const { client, heard } = await joined(
    { needsClient: () => ending.length > 0, ending: () => ending.splice(0) },
    { autoPong: false },
  );
  client.send('begin');
  await untilClosed(heard);
  expect(heard.slice(0, 2)).toEqual(['begin', 'end']);
});

test('once the client is being closed, nothing of it passes any more', async () => {
  const { client, heard } = await joined({ accepted: onlyText, ending: () => ['end'] });
  client.send('before');
  client.send(Buffer.from('binary'));
  client.send('after');
  await untilClosed(heard);
  expect(heard.slice(0, 2)).toEqual(['before', 'end']);
});

test('where both ends send only texts, nothing binary comes from the upstream', async () => {
  const { client, upstream, heard } = await joined({ accepted: onlyText });
  const got: string[] = [];
  client.on('message', (data) => got.push((data as Buffer).toString()));
  upstream.send('before');
  upstream.send(Buffer.from('binary'));
  await untilClosed(heard);
  expect(heard).toEqual(['closed 1003']);
  expect(got).toEqual(['before']);
});

test('where only the client’s texts are read, video passes to it, and nothing binary comes from it', async () => {
  const { client, upstream, heard } = await joined({
    accepted: onlyTextOfClient(64),
    toClient: () => undefined,
    toUpstream: (text, reply) => {
      if (text !== 'no') return text;
      reply('refused');
      return undefined;
    },
  });
  const video = Buffer.alloc(3_000_000, 0x80);
  const answers: string[] = [];
  client.on('message', (data, isBinary) =>
    answers.push(isBinary ? `${(data as Buffer).equals(video)}` : (data as Buffer).toString()),
  );
  upstream.send(video);
  await expect.poll(() => answers).toEqual(['true']);
  client.send('no');
  client.send('y', { fin: false });
  client.send('es', { fin: true });
  await expect.poll(() => answers).toEqual(['true', 'refused']);
  await expect.poll(() => heard).toEqual(['yes']);
  client.send(Buffer.from('binary'));
  client.send('after');
  await untilClosed(heard);
  expect(heard).toEqual(['yes', 'closed 1003']);
});

test('a text that is too long is not read', async () => {
  const { client, heard } = await joined({ accepted: onlyTextOfClient(64) });
  client.send('x'.repeat(65));
  await untilClosed(heard);
  expect(heard.filter((text) => text.startsWith('x'))).toEqual([]);
});

test.each(['before it is asked for', 'while it opens'])(
  'a WebSocket to the upstream does not open for a client that has left %s',
  async (when) => {
    const upstream = createServer().listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    onTestFinished(() => {
      upstream.closeAllConnections();
      upstream.close();
    });
    const leaving = new AbortController();
    if (when === 'before it is asked for') leaving.abort();
    // It hangs up, so that an attempt that was not given up fails at once.
    upstream.on('upgrade', (_request, socket) => {
      leaving.abort();
      socket.destroy();
    });
    const at = { origin: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` };
    const connect = await connectorTo(at, 5_000);
    await expect(openWebSocket(connect, wanted(leaving.signal, passAll))).rejects.toThrow(
      'closed before the connection was established',
    );
  },
);
