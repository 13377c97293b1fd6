import { expect, test } from 'vitest';
import { identifyByEdge } from '../../../src/policy/identify.ts';
import type { Edge } from '../../../src/policy/verdict.ts';

const anonymous = {
  subject: { user: 'anonymous', role: 'admin', source: 'internal', groups: '', email: '', name: '' },
};
const secret = 'correct horse';
const shown = ['X-Proxy-Secret', secret];
const impostor = [
  'Remote-User',
  'eve',
  'Remote-Role',
  'viewer',
  'X-Proxy-Secret',
  'no',
  'X-Proxy-Secret',
  '',
];

type Row = [
  what: string,
  edge: Edge,
  secret: string | undefined,
  headers: readonly string[],
  identification: object | undefined,
];

test.each<Row>([
  ['internal: anonymous', 'internal', undefined, [], anonymous],
  ['internal: headers are not looked at', 'internal', undefined, impostor, anonymous],
  ['internal: not even the secret', 'internal', secret, impostor, anonymous],
  ['no secret configured: the user decides', 'authenticated', undefined, [], undefined],
  ['no secret configured: whatever is sent', 'authenticated', undefined, impostor, undefined],
  ['the secret: the user decides', 'authenticated', secret, shown, undefined],
  ['no secret sent', 'authenticated', secret, ['Remote-User', 'olaf'], { refused: 'proxy_secret_missing' }],
  ['a wrong one', 'authenticated', secret, ['X-Proxy-Secret', 'no'], { refused: 'proxy_secret_mismatch' }],
  ['repeated', 'authenticated', secret, [...shown, ...shown], { refused: 'proxy_secret_repeated' }],
  [
    'a port in a header is no edge',
    'authenticated',
    secret,
    ['X-Server-Port', '5000'],
    { refused: 'proxy_secret_missing' },
  ],
])('%s', (_, edge, proxySecret, headers, identification) => {
  const request = { edge, method: 'GET', uri: '/', headers, host: 'gate.test', secure: true };
  expect(identifyByEdge(request, proxySecret)).toEqual(identification);
});
