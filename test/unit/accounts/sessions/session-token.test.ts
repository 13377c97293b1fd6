import { createHmac, generateKeyPairSync } from 'node:crypto';
import { CompactEncrypt, SignJWT, type JWTHeaderParameters } from 'jose';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCodePoint } from '../../../support/any-code-point.ts';
import { clockAt } from '../../../support/clock-at.ts';
import { createSessionTokens } from '../../../../src/accounts/sessions/session-token.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const secret = 's'.repeat(64);
const key = new TextEncoder().encode(secret);
const now = 1_800_000_000;
const { issue, verify } = createSessionTokens(secret, clockAt(now * 1000));

const good = { sub: 'olaf', iat: now, exp: now + 60, jti: 'j1', sid: 's1', gen: 'g1' };
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A token signed with the secret, with any header and claims. */
function signed(claims: unknown, header: unknown = { alg: 'HS256' }, hash = 'sha256', by = secret): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${createHmac(hash, by).update(text).digest('base64url')}`;
}
const without = (...names: Array<keyof typeof good>) =>
  Object.fromEntries(Object.entries(good).filter(([name]) => !names.includes(name as keyof typeof good)));

test('reads back what was issued', async () => {
  const claims = {
    username: 'olaf',
    issuedAt: now * 1000,
    expiresAt: (now + 9) * 1000,
    sessionId: 's1',
    generation: 'g1',
  };
  const token = await issue(claims, 'admin');
  expect(await verify(token)).toEqual({ claims });
  const [header = '', payload = ''] = token
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString());
  expect(JSON.parse(header)).toEqual({ alg: 'HS256', typ: 'JWT' });
  // Clients of recorders read these.
  expect(JSON.parse(payload)).toMatchObject({ sub: 'olaf', role: 'admin', iat: now, exp: now + 9 });
  const again = await issue(claims, 'admin');
  expect(again).not.toBe(token);
});

test.each<[what: string, token: string, claims: object]>([
  ['as issued', signed(good), { sessionId: 's1', generation: 'g1' }],
  [
    'made elsewhere with the secret',
    signed(without('sid', 'gen')),
    { sessionId: 'j1', generation: undefined },
  ],
  ['a generation that is no text counts as none', signed({ ...good, gen: 1 }), { generation: undefined }],
  ['a session that is no text is the token', signed({ ...good, sid: {} }), { sessionId: 'j1' }],
  ['a clock that is 5 seconds ahead', signed({ ...good, iat: now + 5 }), { issuedAt: (now + 5) * 1000 }],
  ['the last moment', signed({ ...good, exp: now + 1 }), { expiresAt: (now + 1) * 1000 }],
  ['a kid decides nothing', signed(good, { alg: 'HS256', kid: '../../dev/null' }), { username: 'olaf' }],
  ['a key it brings along is none', signed(good, { alg: 'HS256', jwk: { kty: 'oct', k: 'AA' } }), {}],
])('good: %s', async (_, token, claims) => {
  expect(await verify(token)).toMatchObject({ claims: { username: 'olaf', ...claims } });
});

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const withAlg = (
  alg: string,
  by: Parameters<SignJWT['sign']>[0],
  header: Partial<JWTHeaderParameters> = {},
) => new SignJWT(good).setProtectedHeader({ alg, ...header }).sign(by);
const jwe = () =>
  new CompactEncrypt(Buffer.from(JSON.stringify(good)))
    .setProtectedHeader({ alg: 'dir', enc: 'A128CBC-HS256' })
    .encrypt(key.slice(0, 32));
const [head = '', body = '', signature = ''] = signed(good).split('.');

test.each<[what: string, token: string | Promise<string>]>([
  ['nothing', ''],
  ['no token', 'olaf'],
  ['two parts', `${head}.${body}`],
  ['four parts', `${signed(good)}.`],
  ['another secret', signed(good, { alg: 'HS256' }, 'sha256', 't'.repeat(64))],
  ['an empty secret', signed(good, { alg: 'HS256' }, 'sha256', '')],
  ['no signature', `${head}.${body}.`],
  ['half a signature', `${head}.${body}.${signature.slice(0, 21)}`],
  ['claims of another token', `${head}.${encode({ ...good, sub: 'admin' })}.${signature}`],
  ['alg none', `${encode({ alg: 'none' })}.${body}.`],
  ['alg None', `${encode({ alg: 'None' })}.${body}.`],
  ['alg none, signed', signed(good, { alg: 'none' })],
  ['no alg', signed(good, {})],
  ['alg in lower case', signed(good, { alg: 'hs256' })],
  ['an alg that is a list', signed(good, { alg: ['HS256'] })],
  ['HS384', withAlg('HS384', key)],
  ['HS512', withAlg('HS512', key)],
  ['HS384 that says HS256', signed(good, { alg: 'HS256' }, 'sha384')],
  ['RS256', withAlg('RS256', privateKey)],
  ['RS256 with the secret as key', signed(good, { alg: 'RS256' })],
  ['an unknown crit', signed(good, { alg: 'HS256', crit: ['x'], x: 1 })],
  ['an empty crit', signed(good, { alg: 'HS256', crit: [] })],
  ['a payload that is not encoded', signed(good, { alg: 'HS256', crit: ['b64'], b64: false })],
  ['JWE', jwe()],
  ['no sub', signed(without('sub'))],
  ['no exp', signed(without('exp'))],
  ['no iat', signed(without('iat'))],
  ['no jti', signed(without('jti'))],
  ['a sub that is a number', signed({ ...good, sub: 7 })],
  ['a sub that is a list', signed({ ...good, sub: ['olaf'] })],
  ['a jti that is a number', signed({ ...good, jti: 7 })],
  ['an exp that is text', signed({ ...good, exp: String(now + 60) })],
  ['an exp that no clock reaches', signed({ ...good, exp: 1e308 })],
  ['an iat before all time', signed({ ...good, iat: -1e308 })],
  ['an exp that is null', signed({ ...good, exp: null })],
  ['an iat that is text', signed({ ...good, iat: String(now) })],
  ['an iat in the far future', signed({ ...good, iat: now + 6, exp: now + 60 })],
  ['an nbf in the future', signed({ ...good, nbf: now + 60 })],
  ['claims that are a list', signed([good])],
  ['claims that are no JSON', `${head}.${Buffer.from('{').toString('base64url')}.${signature}`],
  ['a token that is too long', signed({ ...good, x: 'x'.repeat(4_096) })],
  ['a token of a mebibyte', signed({ ...good, x: 'x'.repeat(1_048_576) })],
])('invalid: %s', async (_, token) => {
  expect(await verify(await token)).toEqual({ problem: 'token_invalid' });
});

describe('rejects an expired token', () => {
  test.each([now, now - 1, now - 86_400, 0, -1])('exp %i', async (exp) => {
    expect(await verify(signed({ ...good, exp }))).toEqual({ problem: 'token_expired' });
  });

  test('is invalid, not expired, when the signature is wrong', async () => {
    const token = signed({ ...good, exp: now - 1 }, { alg: 'HS256' }, 'sha256', 'x');
    expect(await verify(token)).toEqual({ problem: 'token_invalid' });
  });
});

test('accepts only signed texts, and throws for none', async () => {
  const token = signed(good);
  const change = fc
    .tuple(fc.nat(token.length - 1), fc.constantFrom(...'ABCabc019-_.=%+/ '))
    .map(([at, letter]) => token.slice(0, at) + letter + token.slice(at + 1));
  await assertCases(
    fc.asyncProperty(fc.oneof(change, fc.string({ unit: anyCodePoint })), async (text) => {
      fc.pre(text !== token);
      expect(await verify(text)).toEqual({ problem: 'token_invalid' });
    }),
    { numRuns: 400, reaching: 0.9 },
  );
});

test('rejects a token longer than 4,096 characters', async () => {
  // 65 of these are the header, the signature and the dots; three bytes of claims make four characters.
  const padding = Math.floor(((4_096 - 65) * 3) / 4) - JSON.stringify({ ...good, x: '' }).length;
  const padded = (more: number) => signed({ ...good, x: 'x'.repeat(padding + more) });
  expect(padded(0)).toHaveLength(4_096);
  expect(await verify(padded(0))).toHaveProperty('claims');
  expect(await verify(padded(1))).toEqual({ problem: 'token_invalid' });
});
