import { anonymous, from, proxySecret, refusedElsewhere, secret, type Row } from './row.ts';

const uri = '/api/events';
const olaf = { user: 'olaf', role: 'operator' };
const asOlaf = from('olaf', 'group_operator');

/** A client that sends an identity, or hides from the gate what its proxy sent. */
export const identityHeaderRows: readonly Row[] = [
  { name: 'a request of the proxy', request: { uri, headers: asOlaf }, expect: olaf },

  // Identity that a client claims.
  {
    name: 'Remote-Role from a client',
    request: { uri, headers: [...asOlaf, ['Remote-Role', 'admin']] },
    expect: olaf,
  },
  {
    name: 'an assertion of a client',
    request: { uri, headers: [...asOlaf, ['X-Postern-Assertion', 'e30.e30.e30']] },
    expect: olaf,
  },
  {
    name: 'an assertion of a client, by other names',
    request: {
      uri,
      headers: [...asOlaf, ['X_Postern_Assertion', 'e30.e30.e30'], ['x.postern.assertion', 'e30.e30.e30']],
    },
    expect: olaf,
    but: refusedElsewhere,
  },
  {
    name: 'every identity header on the internal entry point',
    entryPoint: 'internal',
    request: {
      uri,
      headers: [
        ['Remote-User', 'mallory'],
        ['Remote-Role', 'viewer'],
        ['Remote-Groups', 'x'],
        ['Remote-Email', 'x'],
        ['Remote-Name', 'x'],
        ['X-Postern-Assertion', 'x'],
      ],
    },
    expect: anonymous,
  },
  {
    name: 'identity headers without the secret',
    request: {
      uri,
      headers: [
        ['Remote-User', 'olaf'],
        ['Remote-Groups', 'group_admin'],
      ],
    },
    expect: 'refused',
  },
  {
    name: 'identity headers at the login',
    request: {
      method: 'POST',
      uri: '/api/login',
      headers: [
        ['Remote-User', 'olaf'],
        ['Remote-Role', 'admin'],
        ['Content-Type', 'application/json'],
      ],
      body: '{}',
    },
    expect: 'answered',
  },
  {
    name: 'identity headers at the logout',
    request: {
      uri: '/logout',
      headers: [
        ['Remote-User', 'olaf'],
        ['Remote-Role', 'admin'],
      ],
    },
    expect: 'answered',
  },
  {
    name: 'a header outside the trusted list',
    request: { uri, headers: [proxySecret, ['X-Remote-User', 'olaf'], ['X-Groups', 'group_admin']] },
    expect: 'refused',
  },
  {
    name: 'a trusted header that is not mapped',
    request: {
      uri,
      headers: [proxySecret, ['X-Forwarded-User', 'olaf'], ['X-Forwarded-Groups', 'group_admin']],
    },
    expect: 'refused',
  },

  // Aliases: nginx takes headers with underscores and dots out, the other fronts refuse them.
  ...[
    'Remote_User',
    'remote.user',
    'REMOTE_USER',
    'Remote_Groups',
    'X_Forwarded_Groups',
    'x.forwarded.groups',
    'X-Forwarded_User',
    'X_authentik_username',
    'X_Proxy_Secret',
    'Remote~User',
    'Remote!Groups',
  ].map((alias): Row => ({
    name: `alias ${alias}`,
    request: { uri, headers: [...asOlaf, [alias, 'group_admin']] },
    expect: 'refused',
    but: { nginx: olaf },
  })),
  ...['Remote_User', 'remote.role', 'Remote_Role'].map((alias): Row => ({
    name: `alias ${alias} on the internal entry point`,
    entryPoint: 'internal',
    request: { uri, headers: [[alias, 'mallory']] },
    expect: anonymous,
    but: refusedElsewhere,
  })),
  {
    name: 'only aliases',
    request: { uri, headers: [proxySecret, ['Remote_User', 'olaf'], ['Remote_Groups', 'group_admin']] },
    expect: 'refused',
  },
  {
    name: 'Remote_Role, which no list names',
    request: {
      uri,
      headers: [...asOlaf, ['Remote_Role', 'admin'], ['Remote.Role', 'admin'], ['Remote~Role', 'admin']],
    },
    expect: olaf,
    but: refusedElsewhere,
  },

  // Two of one kind: whichever one hop reads, the next may read the other.
  {
    name: 'Remote-User twice',
    request: { uri, headers: [['Remote-User', 'admin'], ...asOlaf] },
    expect: 'refused',
  },
  {
    name: 'Remote-User twice in different case',
    request: { uri, headers: [...asOlaf, ['remote-user', 'admin']] },
    expect: 'refused',
  },
  {
    name: 'Remote-Groups twice',
    request: { uri, headers: [...asOlaf, ['Remote-Groups', 'group_admin']] },
    expect: 'refused',
  },
  {
    name: 'a trusted header that is not mapped, twice',
    request: { uri, headers: [...asOlaf, ['X-idp-uid', '1'], ['X-idp-uid', '2']] },
    expect: 'refused',
  },
  // These fronts drop nothing that Connection lists, or send no Connection: nothing is lost there.
  {
    name: 'Connection lists Remote-Groups',
    request: { uri, headers: [...asOlaf, ['Connection', 'close, Remote-Groups']] },
    expect: 'refused',
    but: { 'auth-request': olaf, 'forward-auth': olaf, 'ext-authz': olaf, nginx: olaf },
  },
  {
    name: 'Connection lists remote-role, which the gate sets',
    request: { uri, headers: [...asOlaf, ['Connection', 'close, remote-role, remote-email']] },
    expect: 'refused',
    but: { 'auth-request': olaf, 'forward-auth': olaf, 'ext-authz': olaf, nginx: olaf },
  },
  {
    name: 'Connection lists X-Forwarded-For',
    request: { uri, headers: [...asOlaf, ['Connection', 'close, X-Forwarded-For']] },
    expect: olaf,
  },

  // Headers that only a front may send.
  ...(
    [
      ['X-Server-Port', '5000'],
      ['X-Original-URL', '/login'],
      ['X-Original-Method', 'GET'],
      ['X-Original-URI', '/login'],
      ['X-Forwarded-Uri', '/login'],
      ['X-Rewrite-URL', '/login'],
    ] as const
  ).map((header): Row => ({
    name: `${header[0]} from a client`,
    request: { uri: '/api/users', headers: [...asOlaf, header] },
    expect: 'refused',
  })),
  {
    name: 'X-Server-Port: 5000 without identity',
    request: { uri, headers: [['X-Server-Port', '5000']] },
    expect: 'refused',
  },

  // The secret.
  ...(
    [
      ['empty', ''],
      ['a prefix', secret.slice(0, -1)],
      ['longer', `${secret}x`],
      ['in different case', secret.toUpperCase()],
    ] as const
  ).map(([how, value]): Row => ({
    name: `the secret, ${how}`,
    request: { uri, headers: [...asOlaf.slice(1), ['X-Proxy-Secret', value]] },
    expect: 'refused',
  })),
  { name: 'the secret twice', request: { uri, headers: [...asOlaf, proxySecret] }, expect: 'refused' },
  {
    name: 'a wrong secret before the right one',
    request: { uri, headers: [['X-Proxy-Secret', 'wrong'], ...asOlaf] },
    expect: 'refused',
  },
  // Optional white space is no part of a field value (RFC 9110, 5.5).
  {
    name: 'the secret and white space after it',
    request: { uri, headers: [...asOlaf.slice(1), ['X-Proxy-Secret', `${secret} \t`]] },
    expect: olaf,
  },

  // Values.
  { name: 'an empty user', request: { uri, headers: from('', 'group_admin') }, expect: 'refused' },
  {
    name: 'a blank user',
    request: { uri, headers: from('\u00a0'.repeat(2), 'group_admin') },
    expect: 'refused',
  },
  { name: 'a user with a tab', request: { uri, headers: from('ol\taf', 'group_admin') }, expect: 'refused' },
  {
    name: 'a user with an escape character',
    request: { uri, headers: from('ol\u001baf', 'group_admin') },
    expect: 'refused',
  },
  {
    name: 'a user with a bare CR',
    request: { uri, headers: from('olaf\rRemote-Role: admin', 'group_operator') },
    expect: 'refused',
  },
  {
    name: 'a user with NUL',
    request: { uri, headers: from('olaf\0admin', 'group_operator') },
    expect: 'refused',
  },
  {
    name: 'a user of 257 characters',
    request: { uri, headers: from('x'.repeat(257), 'group_admin') },
    expect: 'refused',
  },
  {
    name: 'a user of 64 KiB',
    request: { uri, headers: from('x'.repeat(65_536), 'group_admin') },
    expect: 'refused',
  },
  {
    name: 'a user that is not UTF-8',
    request: { uri, headers: from('ol\u00ffaf', 'group_admin') },
    expect: 'refused',
  },
  {
    name: 'a user in UTF-8',
    request: { uri, headers: from(Buffer.from('Jörg ☂').toString('latin1'), 'group_operator') },
    expect: { user: 'Jörg ☂', role: 'operator' },
  },
  {
    name: 'a C1 control character in UTF-8',
    request: { uri, headers: from('ol\u00c2\u0085af', 'group_admin') },
    expect: 'refused',
  },
  ...(
    [
      ['a character that is not shown', 'ol\u200baf'],
      ['a joiner', 'ol\u200daf'],
      ['a soft hyphen', 'ol\u00adaf'],
      ['text from right to left', '\u202efalo'],
      ['an isolate', 'olaf\u2066'],
      ['a byte order mark', '\ufeffolaf'],
      ['a line separator', 'olaf\u2028'],
      ['a blank that is none', 'ol\u00a0af'],
      ['a filler', 'olaf\u3164'],
      ['a tag', 'olaf\u{e0041}'],
      ['no character', 'olaf\uffff'],
      ['the name of the internal entry point', 'anonymous'],
      ['the same in capitals', 'ANONYMOUS'],
      ['the same in wide letters', 'ａｎｏｎｙｍｏｕｓ'],
      ['the name of the gate', 'Postern'],
    ] as const
  ).map(([what, user]): Row => ({
    name: `a user with ${what}`,
    request: { uri, headers: from(Buffer.from(user).toString('latin1'), 'group_admin') },
    expect: 'refused',
  })),

  // Pages of other sites, in the browser of a user of the proxy, or of someone inside the network.
  ...(
    [
      ['Origin', 'https://evil.example'],
      ['Origin', 'null'],
      ['Sec-Fetch-Site', 'cross-site'],
      ['Sec-Fetch-Site', 'same-site'],
    ] as const
  ).flatMap((header): Row[] => [
    {
      name: `a change from another site, by ${header.join(' ')}`,
      request: { method: 'POST', uri: '/api/restart', headers: [...from('ada', 'group_admin'), header] },
      expect: 'refused',
    },
    {
      name: `a change from another site on the internal entry point, by ${header.join(' ')}`,
      entryPoint: 'internal',
      request: { method: 'POST', uri: '/api/restart', headers: [header] },
      expect: 'refused',
    },
    {
      name: `what another site shows of the internal entry point, by ${header.join(' ')}`,
      entryPoint: 'internal',
      request: { uri, headers: [header] },
      expect: anonymous,
    },
  ]),
  {
    name: 'a change from our own page, where the proxy puts another Host',
    request: {
      method: 'POST',
      uri: '/api/restart',
      headers: [
        ...from('ada', 'group_admin'),
        ['Origin', 'https://cameras.example'],
        ['Sec-Fetch-Site', 'same-origin'],
      ],
    },
    expect: { user: 'ada', role: 'admin' },
  },
  {
    name: 'a WebSocket from another site',
    request: {
      uri: '/ws',
      headers: [
        ...from('ada', 'group_admin'),
        ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
        ['Origin', 'https://evil.example'],
      ],
    },
    expect: 'refused',
  },

  // Groups.
  {
    name: 'a group of none',
    request: { uri, headers: from('olaf', 'group_leavers') },
    expect: 'refused',
  },
  {
    name: 'a group of none behind that of admin',
    request: { uri, headers: from('olaf', 'group_admin,group_leavers') },
    expect: 'refused',
  },
  {
    name: 'the word none, which is no group',
    request: { uri, headers: from('olaf', 'none,group_operator') },
    expect: olaf,
  },
  { name: 'no group that maps', request: { uri, headers: from('olaf', 'group_other') }, expect: 'refused' },
  {
    name: 'a group in different case',
    request: { uri, headers: from('olaf', 'Group_Admin') },
    expect: 'refused',
  },
  {
    name: 'a role name where groups are mapped',
    request: { uri, headers: from('olaf', 'admin') },
    expect: 'refused',
  },
  {
    name: 'several groups, admin last',
    request: { uri, headers: from('olaf', 'group_operator,group_viewer, group_admin') },
    expect: { user: 'olaf', role: 'admin' },
  },
  {
    name: 'several groups, viewer and custom',
    request: { uri, headers: from('olaf', 'group_operator,group_viewer') },
    expect: { user: 'olaf', role: 'viewer' },
  },
  {
    name: 'several custom roles: the first of auth.roles',
    request: { uri, headers: from('olaf', 'group_operator,group_front') },
    expect: { user: 'olaf', role: 'front' },
  },
];
