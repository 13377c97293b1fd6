import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boundedFetch, providerErrorOf } from '../../../src/accounts/provider.ts';
import { createProviderKeys } from '../../../src/features/oidc/discovery.ts';

let server: Server;
let origin: string;
let asked: number;
let answer: RequestListener;
beforeAll(async () => {
  server = createServer((request, response) => {
    asked += 1;
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const fetch = boundedFetch(60_000);
const ask = (status: number, body = '', headers = {}) => {
  answer = (_, response) => void response.writeHead(status, headers).end(body);
  return fetch(`${origin}/path?secret=1`, {}).then(
    async (response) => [response.status, await response.text()],
    ({ kind, message }: { kind: string; message: string }) => `${kind}: ${message.replace(origin, '')}`,
  );
};

describe('an answer of a provider', () => {
  test.each([200, 400, 401, 404, 302])('with status %d is given as it is', async (status) => {
    expect(await ask(status, 'text', { location: `${origin}/elsewhere` })).toEqual([status, 'text']);
  });

  test.each([204, 304])('with status %d has no body', async (status) => {
    expect(await ask(status)).toEqual([status, '']);
  });

  test.each([500, 503, 429])('with status %d means that it is away, without the query', async (status) => {
    expect(await ask(status, 'text')).toBe(`away: /path answers with status ${status}`);
  });

  test('may have up to a mebibyte', async () => {
    expect(await ask(200, 'x'.repeat(1_048_576))).toEqual([200, 'x'.repeat(1_048_576)]);
    expect(await ask(200, 'x'.repeat(1_048_577))).toBe(
      'nonsense: /path answers with more than 1048576 bytes',
    );
  });

  test('that does not arrive is reported with the error code of the system', async () => {
    await expect(fetch('http://127.0.0.1:1/path', {})).rejects.toMatchObject({
      kind: 'away',
      message: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1\/path does not answer: \S+/) as string,
    });
  });
});

describe('the keys of a provider', () => {
  const header = { alg: 'RS256', kid: 'k' };
  const read = (keys: ReturnType<typeof createProviderKeys>) =>
    Promise.resolve(keys(header, {} as never)).then(
      () => 'found',
      ({ message }: { message: string }) => message.replace(origin, ''),
    );

  test.each([
    ['are none with another status', 404, '{"keys":[]}'],
    ['are none without a list', 200, '{"keys":{}}'],
  ])('%s, and are not asked for again at once', async (_, status, body) => {
    const clock = { time: 1_800_000_000_000, now: () => clock.time };
    const keys = createProviderKeys(`${origin}/keys`, fetch, clock);
    answer = (_request, response) => void response.writeHead(status).end(body);
    asked = 0;
    for (let times = 0; times < 3; times += 1) expect(await read(keys)).toBe('/keys has no keys');
    expect(asked).toBe(1);
    clock.time += 10_000;
    await read(keys);
    expect(asked).toBe(2);
  });
});

describe('what an error means', () => {
  const body = 'OAUTH_RESPONSE_BODY_ERROR';
  test.each<[what: string, error: object, kind: string, message: string, oauthError?: string]>([
    [
      'a refusal, with its words',
      { code: body, error: 'invalid_grant', error_description: 'it is used' },
      'refused',
      'the provider says invalid_grant it is used',
      'invalid_grant',
    ],
    [
      'words that no log should have',
      { code: body, error: 'invalid_grant', error_description: 'one\nline' },
      'refused',
      'the provider says invalid_grant',
      'invalid_grant',
    ],
    [
      'words without an end',
      { code: body, error: 'invalid_grant', error_description: 'x'.repeat(301) },
      'refused',
      'the provider says invalid_grant',
      'invalid_grant',
    ],
    ['a code that is none', { code: body, error: 'a b' }, 'refused', 'the provider says no'],
    ['a code without an end', { code: body, error: 'x'.repeat(65) }, 'refused', 'the provider says no'],
    [
      'words that come by the browser',
      { code: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR', error: 'access_denied', error_description: 'call me' },
      'refused',
      'the provider says access_denied',
      'access_denied',
    ],
    [
      'a refusal by a header',
      { code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' },
      'refused',
      'the provider says no',
    ],
    [
      'what passes',
      { code: body, error: 'server_error' },
      'away',
      'the provider says server_error',
      'server_error',
    ],
    ['no code at all', new Error('outer', { cause: new Error('inner') }), 'nonsense', 'outer: inner'],
    [
      'causes of causes',
      new Error('outer', { cause: new Error('inner', { cause: new Error('innermost') }) }),
      'nonsense',
      'outer: inner',
    ],
    [
      'the words of a parser',
      new Error('outer', { cause: new SyntaxError('of a secret') }),
      'nonsense',
      'outer',
    ],
    ['no words', {}, 'nonsense', 'an answer that cannot be read'],
  ])('%s', (_, error, kind, message, oauthError) => {
    const { kind: found, message: words, oauthError: code } = providerErrorOf(error);
    expect([found, words, code]).toEqual([kind, message, oauthError]);
  });

  test('keeps a ProviderError at any depth of causes', () => {
    const own = providerErrorOf(new Error('own'));
    expect(providerErrorOf(new Error('outer', { cause: new Error('inner', { cause: own }) }))).toBe(own);
  });
});
