import { expect, test } from 'vitest';
import { withoutRecorderKeys } from '../../../src/config/recorder-keys.ts';

test.each<[key: string, document: Record<string, unknown>, left: Record<string, unknown>]>([
  ['auth.cookie_secure', { auth: { cookie_secure: true, enabled: true } }, { auth: { enabled: true } }],
  ['auth.hash_iterations', { auth: { hash_iterations: 600_000 } }, { auth: {} }],
  ['auth.admin_first_time_login', { auth: { admin_first_time_login: null } }, { auth: {} }],
  ['networking.ipv6', { networking: { ipv6: { enabled: false } } }, { networking: {} }],
  [
    'networking.listen.external',
    { networking: { listen: { external: 8971, internal: 5000 } } },
    { networking: { listen: { internal: 5000 } } },
  ],
])('removes %s with a warning that names it', (key, document, left) => {
  const before = structuredClone(document);
  const result = withoutRecorderKeys(document);
  expect(result.document).toEqual(left);
  expect(result.warnings).toEqual([expect.stringMatching(`^${key} .+: .+`)]);
  expect(document).toEqual(before);
});

test('removes what the recorder’s own UI looks like without a warning', () => {
  const document = { ui: { timezone: 'Europe/Berlin', time_format: '24hour', name: 'Willow Lane' } };
  expect(withoutRecorderKeys(document)).toEqual({
    document: { ui: { name: 'Willow Lane' } },
    warnings: [],
  });
});

test.each<[what: string, document: Record<string, unknown>]>([
  ['our own keys', { auth: { enabled: false }, networking: { listen: { internal: 'off' } } }],
  ['the same names in another place', { cookie_secure: true, proxy: { hash_iterations: 1 }, external: 1 }],
  ['sections that are no maps', { auth: 'cookie_secure', networking: null }],
  ['an empty document', {}],
])('keeps %s without a warning', (_, document) => {
  expect(withoutRecorderKeys(document)).toEqual({ document, warnings: [] });
});
