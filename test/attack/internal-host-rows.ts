import { anonymous, type Row } from './row.ts';

const strange = [
  'evil.example',
  'evil.example:5000',
  'EVIL.EXAMPLE.',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'evil.example.local.com',
  'nvr.local.evil.example',
  'xn--lcal-5qa.example',
];
const known = [
  '127.0.0.1:5000',
  '[::1]:5000',
  'localhost',
  'postern',
  'nvr.local',
  'nvr.lan:5000',
  'a.home.arpa',
];
const targets = [
  '/api/version',
  '/api/config',
  '/',
  '/ws',
  '/login',
  '/api/login',
  '/logout',
  '/auth',
  '/api/profile',
  '/api/users',
  '/healthz',
  '/readyz',
  '/metrics',
  '/postern/assets/index.js',
  '/postern/assets/',
  '//login',
];
const webSocket = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
] as const;

/**
 * A page of a foreign site, whose name was made to lead to the internal entry point (DNS rebinding): to the browser it is the same
 * site, so that it sends neither Origin nor Sec-Fetch-Site over plain HTTP, and whatever other header the page likes.
 */
export const internalHostRows: readonly Row[] = [
  ...targets.map((uri): Row => ({
    name: `${uri} of a name that someone else points here`,
    entryPoint: 'internal',
    request: { uri, headers: [['Host', 'evil.example:5000']] },
    expect: 'refused',
  })),
  ...targets.map((uri): Row => ({
    name: `a WebSocket to ${uri} of such a name`,
    entryPoint: 'internal',
    request: { uri, headers: [['Host', 'evil.example:5000'], ...webSocket] },
    expect: 'refused',
  })),
  ...strange.map((host): Row => ({
    name: `Host: ${host}`,
    entryPoint: 'internal',
    request: {
      method: 'POST',
      uri: '/api/users',
      headers: [
        ['Host', host],
        ['Content-Type', 'application/json'],
      ],
      body: '{"username":"mallory","password":"correct horse battery","role":"admin"}',
    },
    expect: 'refused',
  })),
  ...['X-Forwarded-Host', 'X-Original-Host', 'Forwarded', 'X-Host'].map((header): Row => ({
    name: `a page that writes ${header} itself`,
    entryPoint: 'internal',
    request: {
      uri: '/api/config',
      headers: [
        ['Host', 'evil.example'],
        [header, header === 'Forwarded' ? 'host=localhost' : 'localhost'],
      ],
    },
    expect: 'refused',
  })),
  {
    name: 'absolute-form beside a host that is known',
    entryPoint: 'internal',
    request: { uri: 'http://evil.example/api/config', headers: [['Host', 'localhost']] },
    expect: 'refused',
    // nginx takes the authority out, and Traefik and Envoy the whole form. No browser sends it to a server.
    but: { nginx: anonymous },
  },
  {
    name: 'two hosts',
    entryPoint: 'internal',
    request: {
      uri: '/api/config',
      headers: [
        ['Host', 'localhost'],
        ['Host', 'evil.example'],
      ],
    },
    expect: 'refused',
  },
  ...known.map((host): Row => ({
    name: `Host: ${host}`,
    entryPoint: 'internal',
    request: { uri: '/api/version', headers: [['Host', host]] },
    expect: anonymous,
  })),
];
