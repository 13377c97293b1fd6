import { assert, constantFrom, integer, property, string, tuple, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import { apiTokenPage } from '../../../../src/features/api-tokens/token-page.ts';
import type { ListedApiToken } from '../../../../src/features/api-tokens/listed-token.ts';

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
