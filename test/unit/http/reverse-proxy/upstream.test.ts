import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, onTestFinished, expect, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { anything, type MessageFilter } from '../../../../src/http/reverse-proxy/message-filter.ts';
import { createUpstream } from '../../../../src/http/reverse-proxy/upstream.ts';
import { openPool } from '../../../../src/recorder/upstream-pool.ts';
import { patience } from '../../../support/patience.ts';

const notices = { onBusy: () => undefined, onFailure: () => undefined };

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const passageOf = (asked: IncomingMessage) => ({
  request: asked,
  path: asked.url ?? '',
  headers: ['host', 'r'],
  answerHeaders: (lines: readonly string[]) => [...lines],
});

/** Passes everything on to an upstream. */
async function proxyTo(port: number): Promise<number> {
  const upstream = createUpstream({ origin: `http://127.0.0.1:${port}` }, 8, notices);
  onTestFinished(() => upstream.destroy());
  return listen((asked, response) => void upstream.forward(passageOf(asked), response, []));
}

async function get(port: number, path: string): Promise<IncomingMessage> {
  const asked = request({ host: '127.0.0.1', port, path, agent: false }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer;
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test.each<[how: string, pieces: number, form: 'length' | 'chunked', pauses: boolean]>([
  ['of a length, in one piece', 1, 'length', false],
  ['of a length, to a client that pauses', 1, 'length', true],
  ['of a length, in pieces of the size that is read', 48, 'length', true],
  ['of a length, in small pieces', 1_000, 'length', false],
  ['in chunks', 48, 'chunked', true],
  ['in small chunks', 1_000, 'chunked', false],
])('three bodies at once arrive unchanged: %s', async (_, pieces, form, pauses) => {
  // 48 times the size of one read.
  const body = randomBytes(48 * 65_536);
  const size = Math.ceil(body.length / pieces);
  const upstream = await listen((__, response) => {
    if (form === 'length') response.setHeader('content-length', body.length);
    for (let at = 0; at < body.length; at += size) response.write(body.subarray(at, at + size));
    response.end();
  });
  const proxy = await proxyTo(upstream);
  const received = await Promise.all(
    ['/a', '/b', '/c'].map(async (path) => {
      const answer = await get(proxy, path);
      const parts: Buffer[] = [];
      for await (const part of answer as AsyncIterable<Buffer>) {
        parts.push(part);
        if (pauses && parts.length % 8 === 0) await wait(2);
      }
      return hashOf(Buffer.concat(parts));
    }),
  );
  expect(received).toEqual(Array(3).fill(hashOf(body)));
});

describe('while the connections to the upstream open', () => {
  /** A request that is being passed on to an upstream, which opens when `open` is called. */
  async function waiting() {
    const paths: unknown[] = [];
    const port = await listen((asked, response) => {
      paths.push(asked.url);
      response.end('picture');
    });
    const opening = Promise.withResolvers<void>();
    const onFailure = vi.fn();
    const upstream = createUpstream(
      { origin: `http://127.0.0.1:${port}` },
      8,
      { ...notices, onFailure },
      async (...at) => {
        await opening.promise;
        return openPool(...at);
      },
    );
    onTestFinished(() => upstream.destroy());
    const arrived = Promise.withResolvers<{ forwarded: Promise<string>; left: Promise<unknown> }>();
    const proxy = await listen((asked, response) => {
      const forwarded = upstream.forward(passageOf(asked), response, []).then(
        () => 'answered',
        (error: { readonly code: string }) => error.code,
      );
      arrived.resolve({ forwarded, left: once(response, 'close') });
    });
    const client = request({ host: '127.0.0.1', port: proxy, path: '/picture', agent: false }).end();
    client.on('error', () => undefined);
    return { upstream, client, paths, onFailure, open: opening.resolve, ...(await arrived.promise) };
  }

  test('a request waits, and close waits for the request', async () => {
    const { upstream, client, paths, forwarded, open } = await waiting();
    const closed = upstream.close();
    open();
    const [answer] = (await once(client, 'response')) as [IncomingMessage];
    answer.resume();
    await closed;
    expect([answer.statusCode, await forwarded, paths]).toEqual([200, 'answered', ['/picture']]);
  });

  test('a client that leaves ends its request, which the upstream never gets', async () => {
    const { upstream, client, paths, onFailure, forwarded, left, open } = await waiting();
    client.destroy();
    await left;
    open();
    expect(await forwarded).toBe('upstream_unavailable');
    // Waits for everything that was passed on.
    await upstream.close();
    expect(paths).toEqual([]);
    expect(onFailure).not.toHaveBeenCalled();
  });

  test('destroy ends the request', async () => {
    const { upstream, paths, forwarded, open } = await waiting();
    const destroyed = upstream.destroy();
    open();
    expect(await forwarded).toBe('upstream_unavailable');
    await destroyed;
    expect(paths).toEqual([]);
  });
});

test('a recorder that closed first hears on another connection what the client has begun', async () => {
  const recorder = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(recorder, 'listening');
  const heard: string[][] = [];
  recorder.on('connection', (socket) => {
    const messages: string[] = [];
    heard.push(messages);
    socket.on('message', (data) => messages.push((data as Buffer).toString()));
    // Only the first one is closed before its client has left.
    if (heard.length === 1) socket.close();
  });
  const { port } = recorder.address() as AddressInfo;
  const upstream = createUpstream({ origin: `http://127.0.0.1:${port}` }, 8, notices);
  const filter: MessageFilter = {
    accepted: anything,
    toClient: (text) => text,
    toUpstream: (text) => text,
    needsClient: () => false,
    onDecided: () => undefined,
    ending: () => ['stop the camera'],
  };
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.on('upgrade', (asked, socket) => {
    const left = new AbortController().signal;
    void upstream.upgrade(passageOf(asked), { socket, left, early: () => [] }, filter);
  });
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`);
  client.on('error', () => undefined);
  onTestFinished(async () => {
    client.terminate();
    await upstream.destroy();
    server.close();
    recorder.close();
  });
  await expect.poll(() => heard, { timeout: patience }).toEqual([[], ['stop the camera']]);
});
