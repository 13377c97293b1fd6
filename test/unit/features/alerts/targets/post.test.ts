import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { answerTimeout, lookUpPublic, send } from '../../../../../src/features/alerts/targets/post.ts';
import { projectRoot } from '../../../../support/start-gateway.ts';

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

/** Names have these addresses until the test ends. */
function answerWith(addresses: ReadonlyArray<{ readonly address: string; readonly family: number }>) {
  type Done = (error: null, found: typeof addresses) => void;
  const answer = (_name: string, _options: object, done: Done) => done(null, addresses);
  const stub = vi.spyOn(dns, 'lookup').mockImplementation(answer as never);
  syncBuiltinESMExports();
  onTestFinished(() => {
    stub.mockRestore();
    syncBuiltinESMExports();
  });
  return stub;
}

const at = (address: string) => ({ address, family: 4 });
const isPrivate = 'hook.example is at a private address';

test.each([
  ['at home only', [at('192.168.0.1')]],
  ['outside, and at home too', [at('8.8.8.8'), at('192.168.0.1')]],
  ['at home, and outside too', [at('192.168.0.1'), at('8.8.8.8')]],
])('a name that is %s is not reached', async (_, addresses) => {
  answerWith(addresses);
  const found = [await lookedUp('hook.example', true), await lookedUp('hook.example', false)];
  expect(found).toEqual([isPrivate, isPrivate]);
});

test('a name that is outside has its addresses, or the first, of the family that is asked for', async () => {
  const stub = answerWith([at('8.8.8.8'), at('8.8.4.4')]);
  expect(await lookedUp('hook.example', true)).toEqual([at('8.8.8.8'), at('8.8.4.4')]);
  lookUpPublic('hook.example', { family: 4 }, (_error, address, family) =>
    expect([address, family]).toEqual(['8.8.8.8', 4]),
  );
  expect(stub.mock.lastCall?.[1]).toEqual({ family: 4, all: true });
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

test('a target has as long to answer as the documents say, and any 2xx is an answer', async () => {
  const docs = readFileSync(join(projectRoot, 'docs/notifications.md'), 'utf8');
  const said = [...docs.matchAll(/within (\d+) seconds/g)].map(([, seconds]) => Number(seconds) * 1_000);
  expect(said.length).toBeGreaterThan(0);
  const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late);
  onTestFinished(() => timeout.mockRestore());
  const posted = { url: `http://127.0.0.1:${port}/`, headers: {}, body: '' };
  await expect(send(posted, true)).rejects.toMatchObject({ fault: 'no_answer' });
  expect(timeout.mock.calls).toEqual([[answerTimeout]]);
  expect(new Set(said)).toEqual(new Set([answerTimeout]));
});

test('one that may be private does', async () => {
  expect(await send({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '' }, true)).toBe(200);
});
