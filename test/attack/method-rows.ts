import { anonymous, from, type Row } from './row.ts';

const targets = ['/api/version', '/api/config', '/', '/login', '/auth', '/api/profile', '/api/users', '/ws'];
const asAdmin = from('ada', 'group_admin');

/** Methods that no one needs, refused to every user, for every upstream. */
export const methodRows: readonly Row[] = [
  ...['TRACE', 'CONNECT'].flatMap((method) =>
    targets.flatMap((uri): Row[] => [
      { name: `${method} ${uri} by an admin`, request: { method, uri, headers: asAdmin }, expect: 'refused' },
      {
        name: `${method} ${uri} on the internal entry point`,
        entryPoint: 'internal',
        request: { method, uri },
        expect: 'refused',
      },
    ]),
  ),
  ...['trace', 'Trace', 'connect'].map((method): Row => ({
    name: `${method}, which is another method, by an admin`,
    request: { method, uri: '/api/version', headers: asAdmin },
    expect: 'refused',
  })),
  {
    name: 'TRACE with a body',
    request: { method: 'TRACE', uri: '/api/config', headers: asAdmin, body: 'x' },
    expect: 'refused',
  },
  {
    name: 'CONNECT to another host',
    request: { method: 'CONNECT', uri: 'elsewhere.example:443', headers: asAdmin },
    expect: 'refused',
  },
  {
    name: 'TRACE by X-HTTP-Method-Override is a GET, and the header stays here',
    request: { uri: '/api/version', headers: [...asAdmin, ['X-HTTP-Method-Override', 'TRACE']] },
    expect: { user: 'ada', role: 'admin' },
    but: { 'forward-auth': 'refused' },
  },
  {
    name: 'OPTIONS is allowed on the internal entry point',
    entryPoint: 'internal',
    request: { method: 'OPTIONS', uri: '/api/version' },
    expect: anonymous,
  },
];
