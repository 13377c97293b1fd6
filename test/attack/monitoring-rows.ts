import { from, proxySecret, refusedElsewhere, type Row } from './row.ts';

const front = { user: 'fred', role: 'front' };
const asFront = from('fred', 'group_front');

const spellings = [
  '/healthz',
  '/readyz',
  '/metrics',
  '/metrics?',
  '/readyz?x=/../y',
  '//metrics',
  '/%6detrics',
  '/%68ealthz',
  '/metrics/',
  '/METRICS',
];

/** Monitoring paths on the authenticated entry point, which are the recorder's like any other. */
export const monitoringRows: readonly Row[] = [
  ...spellings.flatMap((uri): Row[] => [
    { name: `${uri} without an identity`, request: { uri, headers: [proxySecret] }, expect: 'refused' },
    { name: `${uri} without the proxy's secret`, request: { uri }, expect: 'refused' },
    { name: `${uri} by a viewer`, request: { uri, headers: asFront }, expect: front },
    {
      name: `POST ${uri} by a viewer`,
      request: { method: 'POST', uri, headers: asFront },
      expect: 'refused',
    },
  ]),
  {
    name: 'the host of the internal entry point',
    request: { uri: '/metrics', headers: [['Host', '127.0.0.1:5000']] },
    expect: 'refused',
  },
  {
    name: 'absolute-form with the address of the internal entry point',
    request: { uri: 'http://127.0.0.1:5000/metrics', headers: asFront },
    expect: front,
    but: refusedElsewhere,
  },
  {
    name: 'another target in X-Original-URL',
    request: { uri: '/metrics', headers: [['X-Original-URL', '/login']] },
    expect: 'refused',
  },
  {
    name: 'a public path in front of it',
    request: { uri: '/login/../metrics', headers: [proxySecret] },
    expect: 'refused',
  },
  {
    name: 'an encoded slash before it',
    request: { uri: '/%2fmetrics', headers: asFront },
    expect: 'refused',
  },
];
