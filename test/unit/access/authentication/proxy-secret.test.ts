import { showsFrontSecret } from '../../../../src/http/fronts/front-trust.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toHeaderValue } from '../../../../src/policy/identity-headers.ts';
import { refuseProxySecret } from '../../../../src/access/authentication/proxy-secret.ts';
import { assertCases } from '../../../support/assert-cases.ts';

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
