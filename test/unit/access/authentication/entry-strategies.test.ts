import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { authenticateBy } from '../../../../src/access/authentication/authenticate.ts';
import {
  internalEntryPoint,
  proxySecret,
  refuseProxySecret,
} from '../../../../src/access/authentication/entry-strategies.ts';
import { showsFrontSecret } from '../../../../src/http/fronts/front-trust.ts';
import { toHeaderValue } from '../../../../src/policy/identity-headers.ts';
import type { EntryPoint } from '../../../../src/policy/request-context.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const anonymous = {
  identity: { user: 'anonymous', role: 'admin', source: 'internal', groups: '', email: '', name: '' },
};
const nextStep = { refused: 'no_session' } as const;
const required = 'correct horse';
const shown = ['X-Proxy-Secret', required];
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
  required: string | undefined,
  headers: readonly string[],
  authentication: object,
];

test.each<Row>([
  ['internal: anonymous', 'internal', undefined, [], anonymous],
  ['internal: headers are not looked at', 'internal', undefined, impostor, anonymous],
  ['internal: not even the secret', 'internal', required, impostor, anonymous],
  ['no secret configured: the user decides', 'authenticated', undefined, [], nextStep],
  ['no secret configured: whatever is sent', 'authenticated', undefined, impostor, nextStep],
  ['the secret: the user decides', 'authenticated', required, shown, nextStep],
  ['no secret sent', 'authenticated', required, ['Remote-User', 'olaf'], { refused: 'proxy_secret_missing' }],
  ['a wrong one', 'authenticated', required, ['X-Proxy-Secret', 'no'], { refused: 'proxy_secret_mismatch' }],
  ['repeated', 'authenticated', required, [...shown, ...shown], { refused: 'proxy_secret_repeated' }],
  [
    'a port in a header',
    'authenticated',
    required,
    ['X-Server-Port', '5000'],
    { refused: 'proxy_secret_missing' },
  ],
])('%s', (_, entryPoint, configured, headers, authentication) => {
  const request = { entryPoint, method: 'GET', uri: '/', headers, host: 'gate.test', secure: true };
  const authenticate = authenticateBy([internalEntryPoint, proxySecret(configured), () => nextStep]);
  expect(authenticate(request)).toEqual(authentication);
});

const secret = 'correct horse battery';

test.each<[what: string, headers: readonly string[], refused: string | undefined]>([
  ['the secret', ['X-Proxy-Secret', secret], undefined],
  ['whatever the case of the name', ['x-PROXY-secret', secret], undefined],
  ['no header', ['Host', 'gate.test'], 'proxy_secret_missing'],
  ['under an alias only', ['X_Proxy_Secret', secret, 'X.Proxy.Secret', secret], 'proxy_secret_missing'],
  ['as the value of another header', ['X-Other', secret], 'proxy_secret_missing'],
  ['twice the same', ['X-Proxy-Secret', secret, 'X-Proxy-Secret', secret], 'proxy_secret_repeated'],
  ['right and then wrong', ['X-Proxy-Secret', secret, 'x-proxy-secret', 'no'], 'proxy_secret_repeated'],
  ['wrong and then right', ['X-Proxy-Secret', 'no', 'x-proxy-secret', secret], 'proxy_secret_repeated'],
  ['empty', ['X-Proxy-Secret', ''], 'proxy_secret_mismatch'],
  ['a prefix', ['X-Proxy-Secret', 'correct horse'], 'proxy_secret_mismatch'],
  ['longer', ['X-Proxy-Secret', `${secret}!`], 'proxy_secret_mismatch'],
  ['trailing white space', ['X-Proxy-Secret', `${secret} `], 'proxy_secret_mismatch'],
  ['another case', ['X-Proxy-Secret', secret.toUpperCase()], 'proxy_secret_mismatch'],
])('%s', (_, headers, refused) => {
  expect(refuseProxySecret(headers, secret)).toBe(refused);
});

test.each<[what: string, headers: readonly string[], shown: boolean]>([
  ['the secret', ['x-front-SECRET', secret], true],
  ['none', [], false],
  ['another', ['X-Front-Secret', `${secret}!`], false],
  ['two', ['X-Front-Secret', secret, 'X-Front-Secret', secret], false],
  ['that of the proxy', ['X-Proxy-Secret', secret], false],
  ['under an alias', ['X_Front_Secret', secret], false],
])('a front with %s', (_, headers, shown) => {
  expect(showsFrontSecret(headers, secret)).toBe(shown);
});

test('accepts any letters, as UTF-8', () => {
  const umlauts = 'schlüssel-鍵';
  expect(refuseProxySecret(['X-Proxy-Secret', toHeaderValue(umlauts)], umlauts)).toBeUndefined();
  expect(refuseProxySecret(['X-Proxy-Secret', 'schl\u00fcssel'], 'schlüssel')).toBe('proxy_secret_mismatch');
});

test('accepts only the secret', () => {
  const text = fc.string({ unit: 'grapheme-ascii' });
  assertCases(
    fc.property(text, text, (sent, expected) => {
      const refused = refuseProxySecret(['X-Proxy-Secret', sent], expected);
      expect(refused).toBe(sent === expected ? undefined : 'proxy_secret_mismatch');
    }),
  );
});
