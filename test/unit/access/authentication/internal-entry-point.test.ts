import type { EntryPoint } from '../../../../src/policy/request-context.ts';
import { expect, test } from 'vitest';
import { authenticateBy } from '../../../../src/access/authentication/authenticate.ts';
import { internalEntryPoint } from '../../../../src/access/authentication/internal-entry-point.ts';
import { proxySecret } from '../../../../src/access/authentication/proxy-secret.ts';

const anonymous = {
  identity: { user: 'anonymous', role: 'admin', source: 'internal', groups: '', email: '', name: '' },
};
const nextStep = { refused: 'no_session' } as const;
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
  entryPoint: EntryPoint,
  secret: string | undefined,
  headers: readonly string[],
  authentication: object,
];

test.each<Row>([
  ['internal: anonymous', 'internal', undefined, [], anonymous],
  ['internal: headers are not looked at', 'internal', undefined, impostor, anonymous],
  ['internal: not even the secret', 'internal', secret, impostor, anonymous],
  ['no secret configured: the user decides', 'authenticated', undefined, [], nextStep],
  ['no secret configured: whatever is sent', 'authenticated', undefined, impostor, nextStep],
  ['the secret: the user decides', 'authenticated', secret, shown, nextStep],
  ['no secret sent', 'authenticated', secret, ['Remote-User', 'olaf'], { refused: 'proxy_secret_missing' }],
  ['a wrong one', 'authenticated', secret, ['X-Proxy-Secret', 'no'], { refused: 'proxy_secret_mismatch' }],
  ['repeated', 'authenticated', secret, [...shown, ...shown], { refused: 'proxy_secret_repeated' }],
  [
    'a port in a header',
    'authenticated',
    secret,
    ['X-Server-Port', '5000'],
    { refused: 'proxy_secret_missing' },
  ],
])('%s', (_, entryPoint, configured, headers, authentication) => {
  const request = { entryPoint, method: 'GET', uri: '/', headers, host: 'gate.test', secure: true };
  const authenticate = authenticateBy([internalEntryPoint, proxySecret(configured), () => nextStep]);
  expect(authenticate(request)).toEqual(authentication);
});
