import type { Passes, Row } from './row.ts';
import { sessionToken } from './token-rows.ts';

/** The id of vera's session, which no one else may see or end. */
const victimId = 'the-session-of-vera';

export const victimToken = () => sessionToken('vera', victimId);
const vera: Passes = { user: 'vera', role: 'viewer' };

// The gate answers these itself: a front alone asks whether they may come to it, and they may.
const atGate = { 'auth-request': 'answered', 'forward-auth': 'answered', 'ext-authz': 'answered' } as const;

type Attack = readonly [method: string, uri: string];

/** Each is of an account that is no admin. */
const attacks: readonly Attack[] = [
  ['GET', '/postern/api/sessions?user=vera'],
  ['GET', '/postern/api/sessions?user=vera&user=anna'],
  ['GET', '/postern/api/sessions?user=%76era'],
  ['GET', '/postern//api/sessions?user=vera'],
  ['GET', '/postern/api/sessions?user=admin'],
  ['GET', `/postern/api/sessions/${victimId}`],
  ['DELETE', `/postern/api/sessions/${victimId}`],
  ['DELETE', `/postern/api/sessions/${victimId}?user=anna`],
  ['DELETE', `/postern/api//sessions/${victimId}`],
  ['DELETE', '/postern/api/sessions/%74he-session-of-vera'],
  ['DELETE', '/postern/api/sessions?user=vera'],
  ['DELETE', '/postern/api/sessions?user=vera&user=anna'],
  ['DELETE', '/postern/api/sessions?user=admin'],
  ['POST', `/postern/api/sessions/${victimId}`],
  ['PUT', `/postern/api/sessions/${victimId}`],
];

/** Requests that are refused before the gate reads them. */
const malformed: readonly Attack[] = [
  ['DELETE', `/postern/api/sessions/x/../${victimId}`],
  ['DELETE', `/postern/api/sessions%2f${victimId}`],
  ['DELETE', `/postern/api/sessions/${victimId}%00`],
];

const whose = { anna: 'a custom role', olaf: 'a viewer' } as const;
const bearer = (token: string) => ['Authorization', `Bearer ${token}`] as const;
const cookie = (token: string) => ['Cookie', `session_token=${token}`] as const;

function rowsOf(name: 'anna' | 'olaf', list: readonly Attack[], but: NonNullable<Row['but']>): Row[] {
  return list.map(([method, uri]) => ({
    name: `${method} ${uri} by ${whose[name]}`,
    request: () => ({ method, uri, headers: [bearer(sessionToken(name, `own-${name}`))] }),
    expect: 'refused',
    but,
  }));
}

export const sessionRows: readonly Row[] = [
  ...rowsOf('anna', attacks, atGate),
  ...rowsOf('anna', malformed, {}),
  ...rowsOf('olaf', attacks, atGate),
  ...rowsOf('olaf', malformed, {}),
  ...(['X-HTTP-Method-Override', 'X-Method-Override'] as const).map((header): Row => ({
    name: `GET that ${header} makes a DELETE`,
    request: () => ({
      uri: `/postern/api/sessions/${victimId}`,
      headers: [bearer(sessionToken('anna', 'own-anna')), [header, 'DELETE']],
    }),
    expect: 'refused',
    but: { 'auth-request': 'answered', 'ext-authz': 'answered' },
  })),
  ...(
    [
      ['Origin', 'https://evil.example'],
      ['Origin', 'null'],
      ['Sec-Fetch-Site', 'cross-site'],
      ['Sec-Fetch-Site', 'same-site'],
    ] as const
  ).flatMap((header): Row[] =>
    ['/postern/api/sessions', `/postern/api/sessions/${victimId}`, '/postern/api/sessions?user=vera'].map(
      (uri) => ({
        name: `DELETE ${uri} with the cookie of admin from another site: ${header.join(' ')}`,
        request: () => ({
          method: 'DELETE',
          uri,
          headers: [cookie(sessionToken('admin', 'own-admin')), header],
        }),
        expect: 'refused',
      }),
    ),
  ),
  ...['/postern/api/sessions', `/postern/api/sessions/${victimId}`].flatMap((uri): Row[] =>
    ['GET', 'DELETE'].map((method) => ({
      name: `${method} ${uri} without an identity`,
      request: {
        method,
        uri,
        headers: [
          ['Remote-User', 'vera'],
          ['Remote-Role', 'admin'],
        ],
      },
      expect: 'refused',
    })),
  ),
  // The measure of all the others: none of them has ended it.
  {
    name: 'the session under attack is as good as ever',
    request: () => ({ uri: '/api/events', headers: [bearer(victimToken())] }),
    expect: vera,
  },
];
