import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { gatherChunks } from '../../../../src/http/connections/http-connection.ts';

function messageOf(): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  gatherChunks(message);
  return message;
}

async function chunksOf(message: IncomingMessage): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return chunks;
}

const bytes = (...sizes: number[]) => sizes.map((size, i) => Buffer.alloc(size, String(i % 10)));

test.each<[name: string, sent: Buffer[], sizes: number[]]>([
  ['small ones are put together', bytes(...Array.from({ length: 10_000 }, () => 1)), [4_096, 4_096, 1_808]],
  ['a large one stays as it is, in its order', bytes(10, 5_000, 10), [10, 5_000, 10]],
  ['one that does not fit starts another', bytes(4_000, 4_000), [4_000, 4_000]],
  ['none is none', [], []],
])('chunks that arrive at once: %s', async (_, sent, sizes) => {
  const message = messageOf();
  for (const chunk of sent) message.push(chunk);
  message.push(null);
  const chunks = await chunksOf(message);
  expect(chunks.map(({ length }) => length)).toEqual(sizes);
  expect(Buffer.concat(chunks).equals(Buffer.concat(sent))).toBe(true);
});

test('does not wait for later chunks', async () => {
  const message = messageOf();
  const chunks = message[Symbol.asyncIterator]();
  message.push(Buffer.from('first'));
  expect((await chunks.next()).value).toEqual(Buffer.from('first'));
  message.push(Buffer.from('second'));
  expect((await chunks.next()).value).toEqual(Buffer.from('second'));
});

test('a slow reader holds the sender back', async () => {
  const message = messageOf();
  let count = 0;
  while (message.push(Buffer.alloc(1_000)) && count < 1_000) {
    count += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(count).toBeLessThan(100);
});
