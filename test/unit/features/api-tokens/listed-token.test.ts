import { expect, test } from 'vitest';
import type { ApiToken } from '../../../../src/features/api-tokens/api-tokens.ts';
import { listedApiToken } from '../../../../src/features/api-tokens/listed-token.ts';
import { rolesOf } from '../../../support/roles.ts';

const apiToken: ApiToken = {
  id: 't1',
  name: 'grafana',
  owner: 'olaf',
  ownerRole: 'family',
  isOwnerBlocked: false,
  ownerIssuer: undefined,
  role: 'family',
  cameras: undefined,
  createdAt: 1_000_900,
  expiresAt: undefined,
};
const family = rolesOf([['family', ['front']]]);
const listed = (changes: Partial<ApiToken> = {}, now = 2_000_000, roles = family) =>
  listedApiToken({ ...apiToken, ...changes }, undefined, now, roles);

test('a listed token has its properties, in whole seconds', () => {
  expect(listed()).toEqual({
    id: 't1',
    username: 'olaf',
    name: 'grafana',
    role: 'family',
    cameras: null,
    access: null,
    created_at: 1_000,
    expires_at: null,
    last_used_at: null,
    last_used_from: null,
    state: 'good',
  });
  expect(listed({ cameras: new Set(['front']), expiresAt: 3_000_000 })).toMatchObject({
    cameras: ['front'],
    expires_at: 3_000,
    state: 'good',
  });
});

test('a listed token has the time and address of its last use', () => {
  const used = (address: string | undefined) =>
    listedApiToken(apiToken, { at: 1_500_900, address }, 2_000_000, family);
  expect(used('192.0.2.1')).toMatchObject({ last_used_at: 1_500, last_used_from: '192.0.2.1' });
  expect(used(undefined)).toMatchObject({ last_used_at: 1_500, last_used_from: null });
});

test('a token expires at its exact second, and is too wide when its owner may do less', () => {
  expect(listed({ expiresAt: 2_000_000 }, 1_999_999).state).toBe('good');
  expect(listed({ expiresAt: 2_000_000 }, 2_000_000).state).toBe('expired');
  expect(listed({}, 2_000_000, rolesOf()).state).toBe('too_wide');
  expect(listed({ expiresAt: 2_000_000 }, 2_000_000, rolesOf()).state).toBe('expired');
});
