import * as fc from 'fast-check';
import { Hono } from 'hono';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { errorAnswer } from '../../../src/errors.ts';
import { invalid, validBody, ValidationError } from '../../../src/http/validation.ts';
import { anyCodePoint } from '../../support/any-code-point.ts';
import { assertCases } from '../../support/assert-cases.ts';

const text = v.string('Input should be text');
const app = new Hono()
  .post('/', validBody(v.object({ user: text, tags: v.optional(v.array(text)) })), (c) =>
    c.json(c.req.valid('json')),
  )
  .post('/optional', validBody(v.object({ user: v.optional(text) })), (c) => c.json(c.req.valid('json')))
  .post('/untyped', validBody(v.object({ user: text }), true), (c) => c.json(c.req.valid('json')))
  .onError((error, c) =>
    error instanceof ValidationError
      ? c.json(error.body, 422)
      : c.json(errorAnswer(error).body, errorAnswer(error).status),
  );

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

async function send(body: Body | undefined, type = 'application/json', path = '/') {
  const request = new Request(`http://gate.test${path}`, {
    method: 'POST',
    headers: type === '' ? {} : { 'content-type': type },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  });
  const answer = await app.fetch(request);
  return { status: answer.status, body: await answer.json() };
}

test.each<[type: string, status: number]>([
  ['application/json', 200],
  ['Application/JSON', 200],
  ['application/json; charset=utf-8', 200],
  ['application/json ;charset=utf-8', 200],
  ['', 415],
  ['text/plain', 415],
  ['text/plain; application/json', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=x', 415],
  ['application/jsonp', 415],
  ['application/json, text/plain', 415],
  ['xapplication/json', 415],
])('content type %j: %i', async (type, status) => {
  expect((await send(new TextEncoder().encode('{"user":"olaf"}'), type)).status).toBe(status);
});

describe('where a program may leave out the content type', () => {
  test.each<[what: string, headers: Record<string, string>, status: number]>([
    ['nothing else', {}, 200],
    ['a type of JSON', { 'content-type': 'application/json' }, 200],
    [
      'headers of a program',
      { 'user-agent': 'notifier/1', accept: '*/*', referer: 'http://gate.test/' },
      200,
    ],
    ['its own origin', { origin: 'http://gate.test' }, 415],
    ['the origin of a sandbox', { origin: 'null' }, 415],
    ['no origin', { origin: '' }, 415],
    ['a page of the site', { 'sec-fetch-site': 'same-origin' }, 415],
    ['a page elsewhere', { 'sec-fetch-site': 'cross-site' }, 415],
    ['an address that was typed', { 'sec-fetch-site': 'none' }, 415],
    ['an empty type', { 'content-type': '' }, 415],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['a form of parts', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
    ['text', { 'content-type': 'text/plain' }, 415],
  ])('%s: %o is %i', async (_, headers, status) => {
    const body = new TextEncoder().encode('{"user":"olaf"}');
    const answer = await app.request('/untyped', { method: 'POST', headers, body });
    expect(answer.status).toBe(status);
  });

  test.each([
    ['no JSON', 'user=olaf', 415],
    ['nothing', '', 415],
    ['another field', '{"name":"olaf"}', 422],
    ['too much', JSON.stringify({ user: 'x'.repeat(20_000) }), 413],
  ])('%s stays refused', async (_, body, status) => {
    expect((await send(new TextEncoder().encode(body), '', '/untyped')).status).toBe(status);
  });
});

test.each<[path: string, type: string, body: string | undefined, status: number]>([
  ['/optional', '', undefined, 200],
  ['/optional', '', '', 200],
  ['/optional', '', '{}', 415],
  ['/optional', 'text/plain', undefined, 415],
  ['/optional', 'application/json', '{}', 200],
  ['/', '', undefined, 415],
  ['/', '', '', 415],
])('a body of %s is left out only if none is needed: "%s", %j: %i', async (path, type, body, status) => {
  const sent = body === undefined ? undefined : new TextEncoder().encode(body);
  expect((await send(sent, type, path)).status).toBe(status);
});

describe('a body', () => {
  const olaf = { user: 'olaf' };
  test.each<[what: string, body: string, read: unknown]>([
    ['with white space', ' {\n"user" : "olaf" } ', olaf],
    ['with unexpected keys', '{"user":"olaf","role":"admin"}', olaf],
    ['with a key twice: the last counts', '{"user":"eve","user":"olaf"}', olaf],
    ['with __proto__', '{"user":"olaf","__proto__":{"tags":["x"],"isAdmin":true}}', olaf],
    ['with constructor', '{"user":"olaf","constructor":{"prototype":{"tags":["x"]}}}', olaf],
    ['with a byte order mark', '\ufeff{"user":"olaf"}', olaf],
    ['with NUL in a text', '{"user":"a\\u0000b"}', { user: 'a\u0000b' }],
  ])('%s', async (_, body, read) => {
    expect(await send(body)).toEqual({ status: 200, body: read });
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  const missing = { loc: ['body', 'user'], msg: 'Field required', type: 'missing' };
  const noText = { loc: ['body', 'user'], msg: 'Input should be text', type: 'string' };
  test.each<[what: string, body: string, detail: readonly object[]]>([
    ['nothing asked for', '{}', [missing]],
    ['the key in capitals', '{"User":"olaf"}', [missing]],
    ['the key only in __proto__', '{"__proto__":{"user":"olaf"}}', [missing]],
    ['a list', '["olaf"]', [missing]],
    ['another type', '{"user":7}', [noText]],
    ['null', '{"user":null}', [noText]],
    ['a map', '{"user":{"$ne":""}}', [noText]],
    [
      'several at once',
      '{"tags":["a",1,"b",2]}',
      [
        missing,
        { loc: ['body', 'tags', 1], msg: 'Input should be text', type: 'string' },
        { loc: ['body', 'tags', 3], msg: 'Input should be text', type: 'string' },
      ],
    ],
  ])('that is invalid: %s', async (_, body, detail) => {
    const message = expect.stringMatching(/^(?:user: Field required|Input should be text)/) as string;
    expect(await send(body)).toEqual({ status: 422, body: { message, detail } });
  });

  test('that is invalid has a message too, with the first errors only', async () => {
    const message = 'user: Field required. tags.0: Input should be text. tags.1: Input should be text';
    const { body } = await send(`{"tags":[${'1,'.repeat(99)}1]}`);
    expect(body).toMatchObject({ message });
    expect((body as { detail: unknown[] }).detail).toHaveLength(101);
  });

  test.each(['null', '7', '"user"', 'true'])('that is JSON, but not a map: %s', async (body) => {
    const answer = await send(body);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body'] }] } });
  });

  test.each<[what: string, body: Body | undefined]>([
    ['none', undefined],
    ['nothing', ''],
    ['cut short', '{"user":"ol'],
    ['single quotes', "{'user':'olaf'}"],
    ['two values', '{"user":"olaf"}{}'],
    ['a comment', '{"user":"olaf"} // x'],
    ['a form', 'user=olaf'],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['UTF-16', new Uint8Array(Buffer.from('{"user":"olaf"}', 'utf16le'))],
  ])('that is not JSON: %s', async (_, body) => {
    expect(await send(body)).toEqual({
      status: 415,
      body: { message: 'The body must be JSON', code: 'unsupported_media_type' },
    });
  });
});

describe('a body of', () => {
  const ofLength = (length: number) => `{"user":"${'x'.repeat(length - '{"user":""}'.length)}"}`;
  test.each<[length: number, status: number]>([
    [16 * 1024, 200],
    [16 * 1024 + 1, 413],
    [10 * 1024 * 1024, 413],
  ])('%i bytes: %i', async (length, status) => {
    expect((await send(ofLength(length))).status).toBe(status);
  });

  test('endless length is not read completely', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1_024;
        controller.enqueue(new Uint8Array(1_024).fill(0x20));
      },
    });
    expect((await send(endless)).status).toBe(413);
    expect(sent).toBeLessThan(64 * 1024);
  });

  test.each(['[', '{"a":'])('deep nesting of %s is handled', async (open) => {
    const depth = Math.floor((16 * 1024 - 20) / (open.length + 1));
    const close = open === '[' ? ']' : '}';
    const nested = `${open.repeat(depth)}1${close.repeat(depth)}`;
    expect((await send(nested)).status).toBe(422);
    expect((await send(open.repeat(depth))).status).toBe(415);
  });
});

test('never fails with an internal error', async () => {
  await assertCases(
    fc.asyncProperty(fc.oneof(fc.string({ unit: anyCodePoint }), fc.json()), async (body) => {
      expect([200, 413, 415, 422]).toContain((await send(body)).status);
    }),
  );
});

test('errors of a route itself have the same form, optionally with a message for a page', () => {
  const detail = [{ loc: ['body', 'role'], msg: 'no such role', type: 'value_error' }];
  expect(invalid(['body', 'role'], 'no such role').body).toEqual({ message: 'no such role', detail });
  expect(invalid(['body', 'role'], 'no such role', 'Roles are …').body).toEqual({
    message: 'Roles are …',
    detail,
  });
});
