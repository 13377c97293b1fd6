import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send, lookUpPublic } from '../../../../../src/features/alerts/targets/post.ts';

let asked = 0;
const server = createServer((_, response) => {
  asked += 1;
  response.end();
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => void server.close());

const lookedUp = (name: string, all: boolean) =>
  new Promise((resolve) => {
    lookUpPublic(name, { all }, (error, address) => resolve(error?.message ?? address));
  });

test.each([true, false])('a name at a private address is not reached, all addresses: %s', async (all) => {
  expect(await lookedUp('localhost', all)).toBe('localhost is at a private address');
});

test('a name that does not exist is an error of its own', async () => {
  expect(await lookedUp('no.such.name.invalid', false)).toMatch(/ENOTFOUND|EAI_AGAIN/);
});

test.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433'])(
  'a request for the internet does not reach %s',
  async (host) => {
    const posted = { url: `http://${host}:${port}/`, headers: {}, body: '' };
    await expect(send(posted, false)).rejects.toThrow(/private address/);
    expect(asked).toBe(0);
  },
);

test('one that may be private does', async () => {
  expect(await send({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '' }, true)).toBe(200);
});
