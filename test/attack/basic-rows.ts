import { basic } from '../support/basic.ts';
import { goodPassword } from '../support/log-in.ts';
import type { RawRequest } from '../support/raw-http.ts';
import type { Expected, Row } from './row.ts';

type Kind = 'admin' | 'viewer' | 'front' | 'cameraScoped' | 'expired' | 'revoked' | 'demoted';

export interface BasicVictims {
  readonly tokenOf: (kind: Kind) => string;
  /** Of vera. */
  readonly session: () => string;
  /** Tokens that are nearly good. */
  readonly forged: ReadonlyArray<readonly [name: string, token: () => string]>;
}

const uri = '/api/events';
const vera = { user: 'vera', role: 'viewer' };
const admin = { user: 'admin', role: 'admin' };

/** Who carries an API token as the password of Basic, or what looks like one. Session mode. */
export function basicRows({ tokenOf, session, forged }: BasicVictims): readonly Row[] {
  const row = (
    name: string,
    authorizations: () => readonly string[],
    expected: Expected,
    change: Partial<RawRequest> = {},
  ): Row => ({
    name: `as Basic: ${name}`,
    request: () => ({
      uri,
      ...change,
      headers: [
        ...authorizations().map((authorization) => ['Authorization', authorization] as const),
        ...(change.headers ?? []),
      ],
    }),
    expect: expected,
  });
  const besideSession = (name: string, authorization: () => string, expected: Expected): Row => ({
    name: `as Basic, beside a good session: ${name}`,
    request: () => ({
      uri,
      headers: [
        ['Authorization', authorization()],
        ['Cookie', `session_token=${session()}`],
      ],
    }),
    expect: expected,
  });
  const viewer = () => basic('vera', tokenOf('viewer'));
  const asAdmin = () => [basic('admin', tokenOf('admin'))];
  const origin = (site: string) => [['Origin', site]] as const;
  const restart = { method: 'POST', uri: '/api/restart' };
  const upgrade = [
    ['Connection', 'Upgrade'],
    ['Upgrade', 'websocket'],
    ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
    ['Sec-WebSocket-Version', '13'],
  ] as const;

  /** No claim to be an API token. */
  const foreign: ReadonlyArray<readonly [name: string, authorization: () => string]> = [
    ["an account's password", () => basic('vera', goodPassword)],
    ["an admin's password", () => basic('admin', goodPassword)],
    ['a session token', () => basic('vera', session())],
    ['no password', () => basic('vera', '')],
    ['no colon', () => `Basic ${Buffer.from(tokenOf('viewer')).toString('base64')}`],
    ['a token that is not encoded', () => `Basic ${tokenOf('viewer')}`],
    ['a token as the name', () => basic(tokenOf('viewer'), '')],
    ['a token behind a second colon', () => basic('vera', `x:${tokenOf('viewer')}`)],
    ['a token behind an empty password', () => basic('vera', `:${tokenOf('viewer')}`)],
    ['no base64 at all', () => 'Basic !!!'],
    ['nothing', () => 'Basic'],
    ['bytes that are not UTF-8', () => `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`],
    ['8 KiB of it', () => basic('vera', 'a'.repeat(6_000))],
  ];

  return [
    ...(['vera', 'VERA', 'Vera', 'token', 'TOKEN', 'Token'] as const).map((name) =>
      row(`by the name ${name}`, () => [basic(name, tokenOf('viewer'))], vera),
    ),
    row('the scheme in another case', () => [viewer().replace('Basic', 'bASIC')], vera),
    row('of a custom role', () => [basic('fred', tokenOf('front'))], { user: 'fred', role: 'front' }),
    row('a camera of another role', () => [basic('fred', tokenOf('front'))], 'refused', {
      uri: '/api/garage/latest.jpg',
    }),
    row('a camera that it is not limited to', () => [basic('vera', tokenOf('cameraScoped'))], 'refused', {
      uri: '/api/garage/latest.jpg',
    }),
    row('what needs a login', asAdmin, 'refused', { uri: '/postern/api/tokens' }),

    ...(['', 'admin', 'fred', 'vera ', ' vera', 'vera\0', 'tokens', 'anonymous', 'v\u00e9ra'] as const).map(
      (name) => row(`by the name ${JSON.stringify(name)}`, () => [basic(name, tokenOf('viewer'))], 'refused'),
    ),
    ...forged.map(([name, token]) => row(name, () => [basic('vera', token())], 'refused')),
    ...(['\n', '\0', ' ', ':', ':x', '\u00ff'] as const).map((more) =>
      row(
        `with ${JSON.stringify(more)} behind it`,
        () => [basic('vera', `${tokenOf('viewer')}${more}`)],
        'refused',
      ),
    ),
    row('with a space in the base64', () => [viewer().replace(/.{20}$/, ' $&')], 'refused'),
    row('with a comma behind it', () => [`${viewer()},`], 'refused'),
    row('with another one behind it', () => [`${viewer()}, ${viewer()}`], 'refused'),
    row('with a parameter', () => [`${viewer()}, charset="UTF-8"`], 'refused'),
    ...(['expired', 'revoked', 'demoted'] as const).map((kind) =>
      row(kind, () => [basic('token', tokenOf(kind))], 'refused'),
    ),

    row('two lines', () => [viewer(), viewer()], 'refused'),
    row('and as bearer', () => [viewer(), `Bearer ${tokenOf('viewer')}`], 'refused'),
    row('behind a foreign one', () => [basic('nell', 'secret'), viewer()], 'refused'),
    row('before a foreign one', () => [viewer(), basic('nell', 'secret')], 'refused'),
    {
      name: 'as Basic: in Proxy-Authorization',
      request: () => ({ uri, headers: [['Proxy-Authorization', viewer()]] }),
      expect: 'refused',
    },

    ...foreign.map(([name, authorization]) => row(name, () => [authorization()], 'refused')),
    ...foreign.map(([name, authorization]) => besideSession(name, authorization, vera)),
    besideSession('a token of admin', () => basic('admin', tokenOf('admin')), admin),
    besideSession('a revoked token', () => basic('token', tokenOf('revoked')), 'refused'),
    besideSession('a token by another name', () => basic('admin', tokenOf('viewer')), 'refused'),
    besideSession('a token with more behind it', () => basic('vera', `${tokenOf('viewer')}A`), 'refused'),

    // A browser may have kept it, and send it by itself.
    row('from a page of another site', asAdmin, 'refused', {
      ...restart,
      headers: origin('https://evil.example'),
    }),
    row('from a sandboxed page', asAdmin, 'refused', { ...restart, headers: origin('null') }),
    row('from a sibling', asAdmin, 'refused', { ...restart, headers: [['Sec-Fetch-Site', 'same-site']] }),
    row('a WebSocket from a page of another site', asAdmin, 'refused', {
      uri: '/live/jsmpeg/front_door',
      headers: [...upgrade, ...origin('https://evil.example')],
    }),
    row('from a page of this site', asAdmin, admin, { ...restart, headers: origin('https://gate.local') }),
    row('from a program', asAdmin, admin, restart),

    {
      name: 'as Basic: a revoked token on the internal entry point, which needs no login',
      entryPoint: 'internal',
      request: () => ({ uri, headers: [['Authorization', basic('vera', tokenOf('revoked'))]] }),
      expect: { user: 'anonymous', role: 'admin' },
    },
  ];
}
