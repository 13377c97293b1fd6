import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { fetchListener } from '../../../src/http/fetch-listener.ts';

test('answers the first request, and concurrent ones, like any other', async () => {
  const server = createServer(
    fetchListener(async (request) => new Response(`${request.method} ${await request.text()}`), {}),
  );
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const post = async (body: string) =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).text();
  const long = 'x'.repeat(300_000);
  expect(await Promise.all([post('a'), post(long)])).toEqual(['POST a', `POST ${long}`]);
  expect(await post('later')).toBe('POST later');
});

test('answers an unreadable request by the error handler', async () => {
  const fail = () => {
    throw new Error('unreadable');
  };
  const server = createServer(
    fetchListener(fail, { errorHandler: () => new Response(null, { status: 400 }) }),
  );
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(400);
});
