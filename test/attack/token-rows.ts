import { createHmac, createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { refusedElsewhere, type Row } from './row.ts';

/** The secret of the gates under attack: anyone with it can make any token. */
export const jwtSecret = 'x'.repeat(80);

const uri = '/api/events';
const now = () => Math.floor(Date.now() / 1000);
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Valid claims, which a row changes. */
const goodClaims = () => ({ sub: 'vera', role: 'viewer', iat: now(), exp: now() + 600, jti: randomUUID() });
const goodHeader = { alg: 'HS256', typ: 'JWT' };

function signed(header: object, claims: object, secret = jwtSecret, hash = 'sha256'): string {
  const input = `${base64url(header)}.${base64url(claims)}`;
  return `${input}.${createHmac(hash, secret).update(input).digest('base64url')}`;
}

/** A good token of a user, in a session of this id. */
export function sessionToken(sub: string, sid: string): string {
  return signed(goodHeader, { ...goodClaims(), sub, sid });
}

function without(claim: string): object {
  return Object.fromEntries(Object.entries(goodClaims()).filter(([name]) => name !== claim));
}

const rsa = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

function rsaSigned(): string {
  const input = `${base64url({ alg: 'RS256', typ: 'JWT' })}.${base64url(goodClaims())}`;
  return `${input}.${createSign('sha256').update(input).sign(rsa.privateKey, 'base64url')}`;
}

const vera = { user: 'vera', role: 'viewer' };

const forged: ReadonlyArray<readonly [name: string, token: () => string]> = [
  ['alg none', () => `${base64url({ alg: 'none' })}.${base64url(goodClaims())}.`],
  ['alg none with a signature', () => signed({ alg: 'none', typ: 'JWT' }, goodClaims())],
  ['alg None', () => `${base64url({ alg: 'None' })}.${base64url(goodClaims())}.`],
  ['HS384', () => signed({ alg: 'HS384', typ: 'JWT' }, goodClaims(), jwtSecret, 'sha384')],
  ['HS512', () => signed({ alg: 'HS512', typ: 'JWT' }, goodClaims(), jwtSecret, 'sha512')],
  ['RS256 over the secret', () => signed({ alg: 'RS256', typ: 'JWT' }, goodClaims())],
  ['RS256', rsaSigned],
  [
    'a kid that is a path, and its content the secret',
    () => signed({ ...goodHeader, kid: '/dev/null' }, goodClaims(), ''),
  ],
  ['a kid that is SQL', () => signed({ ...goodHeader, kid: "' UNION SELECT 'k' --" }, goodClaims(), 'k')],
  [
    'a jku and a jwk of the attacker',
    () => signed({ ...goodHeader, jku: 'http://evil', jwk: { kty: 'oct', k: 'aw' } }, goodClaims(), 'k'),
  ],
  ['unknown crit', () => signed({ ...goodHeader, crit: ['exp'], exp: 1 }, goodClaims())],
  ['a JWE', () => `${base64url({ alg: 'dir', enc: 'A256GCM' })}..AAAA.AAAA.AAAA`],
  ['another secret', () => signed(goodHeader, goodClaims(), 'y'.repeat(80))],
  ['an empty secret', () => signed(goodHeader, goodClaims(), '')],
  ...['sub', 'exp', 'iat', 'jti'].map(
    (claim) => [`no ${claim}`, () => signed(goodHeader, without(claim))] as const,
  ),
  ['exp as text', () => signed(goodHeader, { ...goodClaims(), exp: String(now() + 600) })],
  ['exp in the past', () => signed(goodHeader, { ...goodClaims(), exp: now() - 1 })],
  ['exp that is null', () => signed(goodHeader, { ...goodClaims(), exp: null })],
  ['iat in the far future', () => signed(goodHeader, { ...goodClaims(), iat: now() + 3_600 })],
  ['nbf in the future', () => signed(goodHeader, { ...goodClaims(), nbf: now() + 600 })],
  ['iat before the user was made', () => signed(goodHeader, { ...goodClaims(), iat: now() - 3_600 })],
  ['another generation', () => signed(goodHeader, { ...goodClaims(), gen: randomUUID() })],
  ['a user that does not exist', () => signed(goodHeader, { ...goodClaims(), sub: 'nobody' })],
  ['a user in another case', () => signed(goodHeader, { ...goodClaims(), sub: 'VERA' })],
  ['a sub that is an object', () => signed(goodHeader, { ...goodClaims(), sub: { name: 'vera' } })],
  ['claims that are a list', () => signed(goodHeader, [1])],
  ['no token at all', () => ''],
  ['text', () => 'text'],
  ['two dots', () => '..'],
  ['8 KiB of it', () => signed(goodHeader, { ...goodClaims(), pad: 'x'.repeat(8_000) })],
  ['1 MiB of it', () => 'x'.repeat(1_048_576)],
];

const good = () => signed(goodHeader, goodClaims());
const bearer = (token: string) => ['Authorization', `Bearer ${token}`] as const;
const cookie = (token: string) => ['Cookie', `session_token=${token}`] as const;

/** Who carries a token that no login gave, as bearer and as cookie. */
export const tokenRows: readonly Row[] = [
  // The measure of all the others: nothing is wrong with this one.
  { name: 'a good token', request: () => ({ uri, headers: [bearer(good())] }), expect: vera },
  { name: 'a good cookie', request: () => ({ uri, headers: [cookie(good())] }), expect: vera },
  {
    name: 'a good token that claims another role',
    request: () => ({ uri, headers: [bearer(signed(goodHeader, { ...goodClaims(), role: 'admin' }))] }),
    expect: vera,
  },
  ...forged.flatMap(([name, token]): Row[] => [
    { name: `bearer: ${name}`, request: () => ({ uri, headers: [bearer(token())] }), expect: 'refused' },
    { name: `cookie: ${name}`, request: () => ({ uri, headers: [cookie(token())] }), expect: 'refused' },
  ]),
  {
    name: 'a bad bearer beside a good cookie',
    request: () => ({ uri, headers: [bearer('bad'), cookie(good())] }),
    expect: 'refused',
  },
  {
    name: 'two Authorization headers',
    request: () => ({ uri, headers: [bearer('bad'), bearer(good())] }),
    expect: 'refused',
    but: { nginx: 'refused' },
  },
  {
    name: 'two cookies of the name',
    request: () => ({ uri, headers: [cookie(good()), cookie(good())] }),
    expect: 'refused',
  },
  {
    name: 'two cookies of the name in one header',
    request: () => ({ uri, headers: [['Cookie', `session_token=planted; session_token=${good()}`]] }),
    expect: 'refused',
  },
  {
    name: 'a quoted cookie value',
    request: () => ({ uri, headers: [['Cookie', `session_token="${good()}"`]] }),
    expect: 'refused',
  },
  {
    name: 'a cookie of a name that ends in ours',
    request: () => ({ uri, headers: [['Cookie', `xsession_token=${good()}`]] }),
    expect: 'refused',
  },
  {
    name: 'a cookie of our name in another case',
    request: () => ({ uri, headers: [['Cookie', `Session_Token=${good()}`]] }),
    expect: 'refused',
  },
  {
    name: 'the token in the query',
    request: () => ({ uri: `${uri}?token=${good()}&session_token=${good()}`, headers: [] }),
    expect: 'refused',
  },
  {
    name: 'the token as Basic',
    request: () => ({ uri, headers: [['Authorization', `Basic ${good()}`]] }),
    expect: 'refused',
  },
  {
    name: 'identity headers of a proxy',
    request: () => ({
      uri,
      headers: [
        ['Remote-User', 'admin'],
        ['Remote-Role', 'admin'],
        ['X-Forwarded-User', 'admin'],
      ],
    }),
    expect: 'refused',
  },
  {
    name: 'identity headers beside a good token',
    request: () => ({
      uri,
      headers: [bearer(good()), ['Remote-User', 'admin'], ['Remote-Role', 'admin'], ['Remote_Role', 'admin']],
    }),
    expect: vera,
    but: refusedElsewhere,
  },
  {
    name: 'a cookie from another site that would change something',
    request: () => ({
      method: 'POST',
      uri: '/api/restart',
      headers: [
        cookie(signed(goodHeader, { ...goodClaims(), sub: 'admin' })),
        ['Origin', 'https://evil.example'],
      ],
    }),
    expect: 'refused',
  },
  ...['cross-site', 'same-site'].map((site): Row => ({
    name: `a WebSocket with the cookie of admin from another origin: ${site}`,
    request: () => ({
      uri: '/ws',
      headers: [
        cookie(signed(goodHeader, { ...goodClaims(), sub: 'admin' })),
        ['Connection', 'Upgrade'],
        ['Upgrade', 'websocket'],
        ['Sec-WebSocket-Version', '13'],
        ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
        ['Origin', 'https://evil.example'],
        ['Sec-Fetch-Site', site],
      ],
    }),
    expect: 'refused',
  })),
  {
    name: 'a bearer of several words beside a good cookie',
    request: () => ({ uri, headers: [['Authorization', 'Bearer not a.token'], cookie(good())] }),
    expect: 'refused',
  },
  {
    name: 'POST with the cookie of admin',
    request: () => ({
      method: 'POST',
      uri: '/api/restart',
      headers: [cookie(signed(goodHeader, { ...goodClaims(), sub: 'admin' }))],
    }),
    expect: { user: 'admin', role: 'admin' },
  },
];
