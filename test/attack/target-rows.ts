import { anonymous, from, refusedElsewhere, type Row } from './row.ts';

const front = { user: 'fred', role: 'front' };
const asFront = from('fred', 'group_front');
const asAdmin = from('ada', 'group_admin');
const asHyphens = from('hy', 'group_hyphens');
const granted = '/api/front_door/latest.jpg';
const forbidden = '/api/garage/latest.jpg';

const ambiguous: readonly string[] = [
  '/api/front_door/../garage/latest.jpg',
  '/api/front_door/./latest.jpg',
  '/api/front_door/..',
  '/api/front_door/%2e%2e/garage/latest.jpg',
  '/api/front_door/.%2E/garage/latest.jpg',
  '/api/front_door/..;/garage/latest.jpg',
  '/api/front_door/..;x=y/garage/latest.jpg',
  '/api;x/config',
  '/api/garage;x/latest.jpg',
  '/api/front_door/latest.jpg;/../../garage/latest.jpg',
  '/recordings%3bx/2026-10-01/12/garage/00.00.mp4',
  '/api/front_door/..%2fgarage/latest.jpg',
  '/api/front_door%2f..%2fgarage%2flatest.jpg',
  '/api%2fgarage%2flatest.jpg',
  '/api/front_door/..%5cgarage/latest.jpg',
  '/api/front_door\\..\\garage/latest.jpg',
  '/api/front_door%5clatest.jpg',
  '/api/garage%00/latest.jpg',
  '/api/garage%0d%0a/latest.jpg',
  '/api/garage%7f/latest.jpg',
  '/api/%252e%252e/garage/latest.jpg',
  '/api/%2567arage/latest.jpg',
  '/api/front_door/%c0%ae%c0%ae/garage/latest.jpg',
  '/api/front_door/%ff/latest.jpg',
  '/api/front_door/latest.jpg#/api/garage',
  '/api/front_door/%',
  '/api/front_door/%zz',
  '/../recordings/2026-10-01/12/garage/00.00.mp4',
  '/./recordings/2026-10-01/12/front_door/00.00.mp4',
  '/%2e%2e/clips/garage-1.jpg',
  // Around the location that fronts pass on to the gate without asking.
  '/postern/../api/config',
  '/postern/%2e%2e/api/config',
  '/postern/..%2fapi/config',
  '/postern/..;/api/config',
  '/postern%2f..%2fapi/config',
  '/postern/api/roles/../../../api/config',
  '/x/../postern/api/roles',
  '/postern;x/api/roles',
  '/postern\\..\\api/config',
  '/postern/%252e%252e/api/config',
  '/api/users/../config',
  '/api/users/%2e%2e/config',
];

/** An identified client that asks for what it may not have. */
export const targetRows: readonly Row[] = [
  { name: 'a granted camera', request: { uri: granted, headers: asFront }, expect: front },
  { name: 'another camera', request: { uri: forbidden, headers: asFront }, expect: 'refused' },

  ...ambiguous.flatMap((uri): Row[] => [
    { name: `${uri} by a custom role`, request: { uri, headers: asFront }, expect: 'refused' },
    { name: `${uri} by admin`, request: { uri, headers: asAdmin }, expect: 'refused' },
    {
      name: `${uri} on the internal entry point`,
      entryPoint: 'internal',
      request: { uri },
      expect: 'refused',
    },
  ]),

  // One reading is left: it must be the right one.
  ...[
    '//api/garage/latest.jpg',
    '/api//garage/latest.jpg',
    '/api/%67arage/latest.jpg',
    '/%61pi/garage/latest.jpg',
    '/api/garage/latest.jpg?src=front_door',
    '/api/garage/latest.jpg?x=/../front_door',
    '/api/Garage/latest.jpg',
    '/api/garage/',
    '/api/side_yard',
    '/api/garage',
  ].map((uri): Row => ({ name: uri, request: { uri, headers: asFront }, expect: 'refused' })),
  {
    name: 'the query does not decide',
    request: { uri: `${granted}?camera=garage&x=../..`, headers: asFront },
    expect: front,
  },
  {
    name: 'an encoded letter in a granted path',
    request: { uri: '/api/%66ront_door/latest.jpg', headers: asFront },
    expect: front,
  },

  // Hosts.
  ...['x?', 'x#', 'x/..', `x${granted}`, 'X.EXAMPLE', 'gate.local.', 'front_door', '127.0.0.1:5000'].map(
    (host): Row => ({
      name: `Host: ${host}`,
      request: { uri: forbidden, headers: [['Host', host], ...asFront] },
      expect: 'refused',
    }),
  ),
  {
    name: 'absolute-form',
    request: { uri: `http://gate.local${forbidden}`, headers: asFront },
    expect: 'refused',
  },
  {
    name: 'absolute-form with a query for a host',
    request: { uri: `http://x?${granted}`, headers: asFront },
    expect: 'refused',
  },
  {
    name: 'absolute-form, whose authority ends at the first slash',
    request: { uri: `http://x${granted}@gate.local${forbidden}`, headers: asFront },
    expect: front,
    but: refusedElsewhere,
  },

  // Camera names.
  {
    name: 'yard',
    request: { uri: '/api/yard/latest.jpg', headers: asHyphens },
    expect: { user: 'hy', role: 'hyphens' },
  },
  {
    name: 'yard-2',
    request: { uri: '/api/yard-2/latest.jpg', headers: asHyphens },
    expect: { user: 'hy', role: 'hyphens' },
  },
  {
    name: 'yard-2-west, of which yard-2 is a prefix',
    request: { uri: '/api/yard-2-west/latest.jpg', headers: asHyphens },
    expect: 'refused',
  },
  {
    name: 'a camera named like an admin path',
    request: { uri: '/api/config/save', headers: from('eve', 'group_admins') },
    expect: 'refused',
  },
  {
    name: 'an unknown camera',
    request: { uri: '/api/nowhere/latest.jpg', headers: asFront },
    expect: 'refused',
  },

  // Media and streams.
  ...[
    '/recordings/2026-10-01/12/garage/00.00.mp4',
    '/recordings/2026-10-01/12/',
    '/recordings/',
    '/clips/garage-1793000276.376447-de8gxd.jpg',
    '/clips/',
    '/exports/night-in-the-garage.mp4',
    '/vod/garage/start/1/end/2/index.m3u8',
    '/vod/2026-10/01/12/garage/utc/index.m3u8',
    '/live/jsmpeg/garage',
    '/live/mse/api/ws?src=garage',
    '/live/mse/api/ws?src=front_door&src=garage',
    '/live/mse/api/ws?src=front_door;src=garage',
    '/live/mse/api/ws',
    '/api/go2rtc/api/stream.mp4?src=garage',
    '/api/config/raw',
    '/api/restart',
    '/api/logs/nginx',
    '/api/users',
    '/api/users/olaf',
  ].map((uri): Row => ({
    name: `${uri} by a custom role`,
    request: { uri, headers: asFront },
    expect: 'refused',
  })),
  ...[
    '/recordings/2026-10-01/12/front_door/00.00.mp4',
    '/live/jsmpeg/front_door',
    '/vod/front_door/start/1/end/2/index.m3u8',
  ].map((uri): Row => ({ name: `${uri} by its role`, request: { uri, headers: asFront }, expect: front })),

  // A query that parsers read differently.
  ...[
    '/live/mse/api/ws??src=front_door',
    '/api/go2rtc/streams??src=front_door',
    '/live/mse/api/ws?x=1;src=garage&src=front_door',
  ].map((uri): Row => ({ name: uri, request: { uri, headers: asFront }, expect: 'refused' })),

  // Another case, for a server that ignores it.
  ...[
    '/API/garage/latest.jpg',
    '/api/CONFIG',
    '/API/config/raw',
    '/Recordings/2026-10-01/12/garage/00.00.mp4',
    '/VOD/garage/start/1/end/2/index.m3u8',
    '/LIVE/jsmpeg/garage',
  ].map((uri): Row => ({ name: uri, request: { uri, headers: asFront }, expect: 'refused' })),
  {
    name: '/API/Config by viewer',
    request: { uri: '/API/Config', headers: from('vi', 'group_viewer') },
    expect: 'refused',
    // The embedded front masks it in any case of letters; nginx sends only the exact path to the relay.
    but: { 'embedded front': { user: 'vi', role: 'viewer' } },
  },

  // Methods.
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'].map((method): Row => ({
    name: `${method} by a role that may read`,
    request: { method, uri: granted, headers: asFront },
    expect: 'refused',
  })),
  ...['get', 'FOO', 'CONNECT', 'TRACE'].map((method): Row => ({
    name: `method ${method}`,
    request: { method, uri: granted, headers: asFront },
    expect: 'refused',
  })),
  {
    name: 'method override by header',
    request: { method: 'POST', uri: granted, headers: [...asFront, ['X-HTTP-Method-Override', 'GET']] },
    expect: 'refused',
  },
  {
    name: 'method override of a permitted request',
    request: {
      uri: granted,
      headers: [...asFront, ['X-HTTP-Method-Override', 'DELETE'], ['X-Method-Override', 'DELETE']],
    },
    expect: front,
    but: { 'forward-auth': 'refused' },
  },
  // The gate answers its own endpoints in their one spelling; to a recorder they are no way in.
  ...[
    'GET /LOGIN',
    'GET /Login',
    'POST /API/login',
    'HEAD /postern/ASSETS/index.js',
    'GET /Postern/Assets/x',
    'GET /postern/assets',
    'GET /postern/assets/x/y',
    'GET /POSTERN/',
    'GET /POSTERN/api/roles',
    'GET //postern/api/roles',
    'GET /%70ostern/api/roles',
    'GET /posternx/api/roles',
    'GET /postern.x/api/roles',
    'GET /api/usersx',
    'GET /API/users',
  ].flatMap((line): Row[] => {
    const [method = '', uri = ''] = line.split(' ');
    return [{ name: `${line} without an identity`, request: { method, uri }, expect: 'refused' }];
  }),
  // Where the gate sees it itself, it leads to the login.
  {
    name: 'GET /login/ without an identity',
    request: { uri: '/login/' },
    expect: 'refused',
    but: { 'embedded front': 'answered', nginx: 'answered' },
  },
  ...['PUT /API/users/fred/password', 'DELETE /Api/Users/fred/password', 'POST /AUTH', 'POST /Logout'].map(
    (line): Row => {
      const [method = '', uri = ''] = line.split(' ');
      return {
        name: `${line} by a custom role`,
        request: { method, uri, headers: asFront },
        expect: 'refused',
      };
    },
  ),
  ...['/login', '/api/login', '/postern/assets/x'].map((uri): Row => ({
    name: `WebSocket to ${uri} without an identity`,
    request: {
      uri,
      headers: [
        ['Connection', 'Upgrade'],
        ['Upgrade', 'websocket'],
        ['Sec-WebSocket-Version', '13'],
        ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
      ],
    },
    expect: 'answered',
  })),
  {
    name: 'POST on the internal entry point',
    entryPoint: 'internal',
    request: { method: 'POST', uri: '/api/restart' },
    expect: anonymous,
  },
];
