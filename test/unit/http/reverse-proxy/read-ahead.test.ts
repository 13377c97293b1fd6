import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readAhead, type StreamedBody } from '../../../../src/http/reverse-proxy/read-ahead.ts';
import { connectTo } from '../../../support/raw-http.ts';

/** A request as it arrives at a server. @returns it, and how its client sends more */
async function arriving(lines: string, first: string) {
  const server = createServer();
  const requests = once(server, 'request') as Promise<[IncomingMessage]>;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connectTo(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  client.on('error', () => undefined);
  client.write(`POST /x HTTP/1.1\r\nHost: x\r\n${lines}\r\n\r\n${first}`);
  const [request] = await requests;
  return { request, client };
}

const streamed = async (request: IncomingMessage) => {
  const body = await readAhead(request, false);
  if (Buffer.isBuffer(body)) throw new Error('it was read whole');
  return body;
};

/** The chunks that are passed on until it stops. */
async function passedOn(body: StreamedBody, confirm: () => Promise<void>) {
  let text = '';
  const failed = await (async () => {
    for await (const part of body.passOn(confirm)) text += part.toString();
    return undefined;
  })().catch((error: unknown) => error);
  return { text, failed };
}

test.each([
  ['Content-Length: 5', '12345'],
  ['Content-Length: 0', ''],
  ['X: no body', ''],
])('reads a short body completely: %s', async (lines, body) => {
  const { request } = await arriving(lines, body);
  expect(await readAhead(request, false)).toEqual(Buffer.from(body));
});

const long = 'x'.repeat(70_000);
const chunked = `3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n`;

describe.each([
  ['long', `Content-Length: ${long.length}`, long, long, long.slice(0, -1)],
  ['of chunks', 'Transfer-Encoding: chunked', chunked, 'onetwo', 'onetwo'],
])('a body that is %s', (_, lines, sent, whole, allButTheEnd) => {
  test('is passed on unchanged', async () => {
    const { request } = await arriving(lines, sent);
    const { text, failed } = await passedOn(await streamed(request), () => Promise.resolve());
    expect([text, failed]).toEqual([whole, undefined]);
  });

  test('does not end if that is refused', async () => {
    const { request } = await arriving(lines, sent);
    const refusal = new Error('no more');
    let isComplete = false;
    const { text, failed } = await passedOn(await streamed(request), () => {
      isComplete = request.complete;
      return Promise.reject(refusal);
    });
    expect([text, failed, isComplete]).toEqual([allButTheEnd, refusal, true]);
  });

  test('is confirmed only once it has arrived, and is cut with its client', async () => {
    const { request, client } = await arriving(lines, sent.slice(0, -1));
    const parts = passedOn(await streamed(request), () => Promise.reject(new Error('it was asked about')));
    client.destroy();
    expect((await parts).failed).toMatchObject({ code: 'bad_request' });
  });

  test('can be dropped, and the connection is reused', async () => {
    const { request, client } = await arriving(lines, '');
    (await streamed(request)).drop();
    client.write(sent);
    await once(request, 'end');
    expect(request.complete).toBe(true);
  });
});

test('reads a needed body completely, unless it is too long', async () => {
  const { request } = await arriving('Transfer-Encoding: chunked', chunked);
  expect(await readAhead(request, true)).toEqual(Buffer.from('onetwo'));
  const declared = await arriving('Content-Length: 70000', '');
  await expect(readAhead(declared.request, true)).rejects.toMatchObject({ code: 'payload_too_large' });
  const growing = await arriving('Transfer-Encoding: chunked', `11170\r\n${long}\r\n`);
  await expect(readAhead(growing.request, true)).rejects.toMatchObject({ code: 'payload_too_large' });
});
