import { expect, test } from 'vitest';
import type { ApiToken } from '../../../../src/features/api-tokens/api-tokens.ts';
import {
  listedApiToken,
  apiTokenPage,
  type ListedApiToken,
} from '../../../../src/features/api-tokens/listed-token.ts';
import { rolesOf } from '../../../support/roles.ts';
import { assert, constantFrom, integer, property, string, tuple, uniqueArray } from 'fast-check';

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

const token = (username: string, name: string, state: ListedApiToken['state'] = 'good'): ListedApiToken => ({
  id: `${username} ${name}`,
  username,
  name,
  role: username === 'admin' ? 'admin' : 'viewer',
  cameras: null,
  access: null,
  created_at: 0,
  expires_at: null,
  last_used_at: null,
  last_used_from: null,
  state,
});
const tokens = [
  token('olaf', 'Home Assistant'),
  token('admin', 'a/b', 'expired'),
  token('admin', 'Backup'),
  token('olaf', 'Ärger', 'too_wide'),
  token('anna', 'assistant'),
];
const idsOf = (query: Parameters<typeof apiTokenPage>[1]) =>
  apiTokenPage(tokens, query).apiTokens.map(({ id }) => id);

test('a search matches parts of name, owner and role in any case', () => {
  expect(idsOf({ search: 'ASSIST' })).toEqual(['anna assistant', 'olaf Home Assistant']);
  expect(idsOf({ search: 'ola' })).toEqual(['olaf Home Assistant', 'olaf Ärger']);
  expect(idsOf({ search: 'ärg' })).toEqual(['olaf Ärger']);
  expect(idsOf({ search: 'view', state: 'too_wide' })).toEqual(['olaf Ärger']);
  expect(idsOf({ search: 'Backup\nadmin' })).toEqual(['admin Backup']);
  expect(idsOf({ search: 'nothing' })).toEqual([]);
});

test('the pages together are the list, for any page size', () => {
  const tokenOf = tuple(
    constantFrom('a', 'B', 'a.b', 'z@z'),
    string({ minLength: 1, maxLength: 3, unit: 'grapheme' }),
  ).map(([username, name]) => token(username, name));
  const listed = uniqueArray(tokenOf, { selector: ({ id }) => id, maxLength: 12 });
  assert(
    property(listed, integer({ min: 1, max: 5 }), constantFrom('', 'a', 'b'), (all, limit, search) => {
      const found: ListedApiToken[] = [];
      for (;;) {
        const last = found.at(-1);
        const after = last && `${last.username}/${last.name}`;
        const { apiTokens, total } = apiTokenPage(all, { search, limit, after });
        found.push(...apiTokens);
        expect(total).toBe(apiTokenPage(all, { search }).total);
        if (apiTokens.length < limit) break;
      }
      expect(found).toEqual(apiTokenPage(all, { search }).apiTokens);
    }),
  );
});
