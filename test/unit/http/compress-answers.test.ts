import { Hono } from 'hono';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressAnswers } from '../../../src/http/compress-answers.ts';

const long = { names: Array.from({ length: 200 }, (_, index) => `camera ${index}`) };
const app = new Hono()
  .use(compressAnswers())
  .get('/long', (c) => c.json(long, 200, { 'x-other': 'kept' }))
  .get('/failed', (c) => c.json(long, 503))
  .get('/page', (c) => c.html('<p>'.repeat(500), 200, { vary: 'cookie' }))
  .get('/short', (c) => c.json({ ok: true }))
  .get('/picture', (c) => c.body('x'.repeat(5_000), 200, { 'content-type': 'image/jpeg' }))
  .get('/done', (c) =>
    c.body('x'.repeat(5_000), 200, { 'content-type': 'text/html', 'content-encoding': 'br' }),
  )
  .get('/nothing', (c) => c.redirect('/long', 303))
  .post('/long', (c) => c.json(long));
const ask = (path: string, accepted: string | undefined, method = 'GET') =>
  app.request(path, { method, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } });

test.each<[accepted: string | undefined, coding: string | null]>([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['deflate', null],
  ['identity', null],
  [undefined, null],
])('for a client that accepts %s: %s', async (accepted, coding) => {
  const answer = await ask('/long', accepted);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(answer.headers.get('content-encoding')).toBe(coding);
  expect(answer.headers.get('vary')).toBe('accept-encoding');
  expect(answer.headers.get('x-other')).toBe('kept');
  expect(answer.headers.get('content-type')).toBe('application/json');
  const plain = coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;
  expect(JSON.parse(plain.toString())).toEqual(long);
});

test.each<[method: string, path: string, coding: string | null]>([
  ['GET', '/page', 'br'],
  // A page of a refusal has the user's name, and a way back from the request.
  ['GET', '/failed', null],
  ['GET', '/short', null],
  ['GET', '/picture', null],
  ['GET', '/nothing', null],
  ['HEAD', '/long', null],
  // A new secret is sent in the answer to a POST.
  ['POST', '/long', null],
])('%s %s: %s', async (method, path, coding) => {
  const answer = await ask(path, 'br', method);
  expect(answer.headers.get('content-encoding')).toBe(coding);
});

test('ignores a list of thousands of codings', async () => {
  expect((await ask('/long', `br${',x'.repeat(30_000)}`)).headers.get('content-encoding')).toBe(null);
});

test('keeps an existing coding, and an existing Vary', async () => {
  const done = await ask('/done', 'gzip');
  expect([done.headers.get('content-encoding'), (await done.text()).length]).toEqual(['br', 5_000]);
  expect((await ask('/page', 'br')).headers.get('vary')).toBe('cookie, accept-encoding');
  expect(await (await ask('/short', 'br')).json()).toEqual({ ok: true });
});
