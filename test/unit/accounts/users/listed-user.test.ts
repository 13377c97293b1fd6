import { expect, test } from 'vitest';
import { listedUser } from '../../../../src/accounts/users/listed-user.ts';
import type { UserDetails } from '../../../../src/accounts/users/user-list.ts';

const issuer = 'https://id.example.org';
const olaf: UserDetails = {
  username: 'olaf',
  role: 'viewer',
  issuer: undefined,
  roleReason: undefined,
  createdAt: 1_000_000,
  lastLoginAt: undefined,
  blocked: undefined,
  secondFactors: ['passkey'],
};
const petra: UserDetails = {
  ...olaf,
  username: 'petra',
  issuer,
  roleReason: 'group family',
  lastLoginAt: 5_000_000,
};
const provider = { issuer, label: 'Our house' };

test('unknown values are null', () => {
  expect(listedUser(olaf, undefined, provider)).toEqual({
    username: 'olaf',
    role: 'viewer',
    provider: null,
    provider_label: null,
    role_reason: null,
    last_login: null,
    blocked: null,
    second_factors: ['passkey'],
  });
});

test('shows the label of a configured provider', () => {
  const labelled = (of: Parameters<typeof listedUser>[2]) => listedUser(petra, undefined, of);
  expect(labelled(provider)).toMatchObject({ provider: issuer, provider_label: 'Our house' });
  expect(labelled({ issuer: `${issuer}/other`, label: 'Other' })).toMatchObject({
    provider: issuer,
    provider_label: null,
  });
  expect(labelled({ issuer: undefined, label: undefined })).toMatchObject({
    provider: issuer,
    provider_label: null,
  });
});

test('shows the latest known login, but none of a former user with the name', () => {
  expect(listedUser(olaf, 2_000_500, provider).last_login).toBe(2_000);
  expect(listedUser(olaf, 999_999, provider).last_login).toBeNull();
  expect(listedUser(petra, 2_000_500, provider).last_login).toBe(5_000);
  expect(listedUser(petra, 6_000_500, provider).last_login).toBe(6_000);
});
