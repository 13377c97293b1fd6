import { rolesOf } from '../../../support/roles.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toHeaderValue } from '../../../../src/policy/identity-headers.ts';
import {
  identityByHeaders,
  proxyHeaders,
  type ProxyIdentity,
} from '../../../../src/access/authentication/proxy-headers.ts';
import { prepareRoleResolution } from '../../../../src/policy/role-map.ts';
import { anyCodePoint } from '../../../support/any-code-point.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const identity: ProxyIdentity = {
  trustedHeaders: new Set(['remote-user', 'remote-groups', 'remote-email', 'remote-name']),
  userHeader: 'remote-user',
  roleHeader: 'remote-groups',
  ...prepareRoleResolution({
    separator: ',',
    roleMap: new Map([['admin', new Set(['operators', 'verwaltung süd'])]]),
    defaultRole: 'viewer',
    roles: rolesOf(),
  }),
};
const withoutDefault: ProxyIdentity = { ...identity, defaultRole: undefined };
const subjectOf = (headers: readonly string[], of: Partial<ProxyIdentity> = {}) =>
  identityByHeaders(headers, { ...identity, ...of });

describe('an upstream proxy identifies', () => {
  test('a user by all its headers', () => {
    const headers = ['Remote-User', 'olaf', 'Remote-Groups', 'staff,operators', 'Remote-Email', 'o@x.test'];
    expect(subjectOf([...headers, 'Remote-Name', toHeaderValue('Olaf Sørensen')])).toEqual({
      identity: {
        user: 'olaf',
        role: 'admin',
        source: 'proxy',
        groups: 'staff,operators',
        email: 'o@x.test',
        name: 'Olaf Sørensen',
      },
    });
  });

  test.each<[what: string, headers: readonly string[], of: Partial<ProxyIdentity>, expected: object]>([
    ['no user header configured', [], { userHeader: undefined }, { user: 'viewer', role: 'viewer' }],
    [
      'no role header configured',
      ['Remote-Groups', 'operators'],
      { roleHeader: undefined },
      { role: 'viewer' },
    ],
    ['no role header sent', [], {}, { role: 'viewer', groups: '' }],
    ['an empty role header', ['Remote-Groups', ''], {}, { role: 'viewer' }],
    [
      'groups with letters beyond ASCII',
      ['Remote-Groups', toHeaderValue('verwaltung süd')],
      {},
      { role: 'admin' },
    ],
    ['groups with a tab between', ['Remote-Groups', 'staff,\toperators'], {}, { role: 'admin' }],
    ['an unreadable name', ['Remote-Name', '\u00ff', 'Remote-Email', 'a\u0001'], {}, { name: '', email: '' }],
    [
      'a role in an untrusted header',
      ['Remote-Role', 'operators'],
      { roleHeader: 'remote-role' },
      { role: 'viewer' },
    ],
  ])('%s', (_, headers, of, expected) => {
    expect(subjectOf(['Remote-User', 'olaf', ...headers], of)).toMatchObject({ identity: expected });
  });

  test.each<[user: string]>([
    ['o'],
    ['x'.repeat(256)],
    ['鍵'.repeat(256)],
    ['😀'.repeat(256)],
    ['Olaf Sørensen'],
    ['olaf@example.test'],
    ['anonymous reader'],
    ['admin,viewer'],
    ['עומר'],
  ])('the user %j, unchanged', (user) => {
    expect(subjectOf(['Remote-User', toHeaderValue(user)])).toMatchObject({ identity: { user } });
  });
});

describe('an upstream proxy does not identify', () => {
  test.each<[refused: string, what: string, headers: readonly string[], of?: ProxyIdentity]>([
    ['user_missing', 'no user', []],
    ['user_missing', 'an empty user', ['Remote-User', '']],
    ['user_missing', 'a blank user', ['Remote-User', '  ']],
    ['user_missing', 'only another header', ['X-Forwarded-User', 'olaf']],
    [
      'user_missing',
      'a mapped header that is not trusted',
      ['X-User', 'olaf'],
      { ...identity, userHeader: 'x-user' },
    ],
    ['user_malformed', '257 characters', ['Remote-User', 'x'.repeat(257)]],
    ['user_malformed', '64 KiB', ['Remote-User', 'x'.repeat(65_536)]],
    ['user_malformed', 'bytes that are no UTF-8', ['Remote-User', 'o\u00ff']],
    ['user_malformed', 'a tab', ['Remote-User', 'o\tlaf']],
    ['user_malformed', 'NUL', ['Remote-User', 'olaf\0']],
    ['user_malformed', 'a line end', ['Remote-User', 'olaf\r\nRemote-Role: admin']],
    ['user_malformed', 'DEL', ['Remote-User', 'olaf\u007f']],
    ['user_malformed', 'a C1 character', ['Remote-User', toHeaderValue('olaf\u0085')]],
    ['user_malformed', 'a character that is not shown', ['Remote-User', toHeaderValue('ol\u200baf')]],
    ['user_malformed', 'another direction of text', ['Remote-User', toHeaderValue('\u202efalo')]],
    ['user_malformed', 'a byte order mark', ['Remote-User', toHeaderValue('\ufeffolaf')]],
    ['user_malformed', 'a blank that is none', ['Remote-User', toHeaderValue('olaf\u00a0')]],
    ['user_malformed', 'a line separator', ['Remote-User', toHeaderValue('olaf\u2028')]],
    ['user_reserved', 'anonymous', ['Remote-User', 'anonymous']],
    ['user_reserved', 'anonymous in capitals', ['Remote-User', 'ANONYMOUS']],
    ['user_reserved', 'anonymous in wide letters', ['Remote-User', toHeaderValue('ａｎｏｎｙｍｏｕｓ')]],
    ['user_reserved', 'the gate itself', ['Remote-User', 'Postern']],
    [
      'groups_malformed',
      'groups that are not UTF-8',
      ['Remote-User', 'olaf', 'Remote-Groups', '\u00c0\u00af'],
    ],
    ['groups_malformed', 'groups with NUL', ['Remote-User', 'olaf', 'Remote-Groups', 'a\0']],
    ['no_role', 'no groups and no default', ['Remote-User', 'olaf'], withoutDefault],
    ['no_role', 'groups of no role', ['Remote-User', 'olaf', 'Remote-Groups', 'staff'], withoutDefault],
    ['trusted_header_repeated', 'two users', ['Remote-User', 'olaf', 'Remote-User', 'eve']],
    [
      'trusted_header_repeated',
      'two e-mails',
      ['Remote-User', 'olaf', 'Remote-Email', 'a', 'Remote-Email', 'b'],
    ],
    ['trusted_header_alias', 'a user under an alias', ['Remote_User', 'olaf']],
    ['trusted_header_hop_by_hop', 'a user for one hop', ['Remote-User', 'olaf', 'Connection', 'remote-user']],
  ])('%s: %s', (refused, _, headers, of = identity) => {
    expect(identityByHeaders(headers, of)).toEqual({ refused });
  });
});

test('a user map names the roles of users, and those who are remembered keep to it', () => {
  const rules = {
    separator: ',',
    roleMap: new Map([['viewer', new Set(['staff'])]]),
    roles: rolesOf(),
  };
  const strategyOf = (userMap: ReadonlyMap<string, string>) =>
    proxyHeaders({ ...identity, ...prepareRoleResolution({ ...rules, userMap, defaultRole: undefined }) });
  const strategy = strategyOf(
    new Map([
      ['ada', 'admin'],
      ['Ada', 'viewer'],
      ['Søren', 'admin'],
      ['lou', 'none'],
    ]),
  );
  const roleOf = (by: typeof strategy, user: string, groups?: string) => {
    const headers = ['Remote-User', toHeaderValue(user)];
    if (groups !== undefined) headers.push('Remote-Groups', groups);
    const found = by({ headers } as never) as Awaited<ReturnType<typeof strategy>>;
    return found && 'identity' in found ? found.identity.role : found?.refused;
  };
  for (let times = 0; times < 2; times += 1) {
    const found = ['ada', 'Ada', 'ADA', 'Søren', 'lou', 'eve'].map((user) => roleOf(strategy, user));
    expect(found).toEqual(['admin', 'viewer', 'no_role', 'admin', 'no_role', 'no_role']);
    // By the same user with groups, and without them again.
    expect([roleOf(strategy, 'ada', 'staff'), roleOf(strategy, 'ada', 'other')]).toEqual(['viewer', 'admin']);
  }
  expect(roleOf(strategyOf(new Map()), 'ada')).toBe('no_role');
});

test('matches groups exactly, including a byte order mark', () => {
  const headers = ['Remote-User', 'eve', 'Remote-Groups', toHeaderValue('\ufeffoperators')];
  expect(identityByHeaders(headers, withoutDefault)).toEqual({ refused: 'no_role' });
});

test('any bytes give a user of 1 to 256 characters without control characters, or a refusal', () => {
  const bytes = fc.oneof(
    fc.string({ unit: anyCodePoint, maxLength: 300 }).map(toHeaderValue),
    fc.array(fc.integer({ min: 0, max: 255 })).map((codes) => String.fromCharCode(...codes)),
    fc.stringMatching(/^[A-Za-z0-9._@-]{1,70}$/),
  );
  assertCases(
    fc.property(bytes, bytes, (user, groups) => {
      const result = subjectOf(['Remote-User', user, 'Remote-Groups', groups]);
      if ('refused' in result) return;
      expect(result.identity.user).toMatch(/^[^\p{Cc}]{1,256}$/u);
      expect(toHeaderValue(result.identity.user)).toBe(user);
    }),
    { numRuns: 1_000, reaching: 0.1 },
  );
});

test('the identity depends on the request’s own headers only', () => {
  const value = fc.constantFrom(undefined, '', 'olaf', 'eve', 'operators', 'staff', 'verwaltung', '\u00ff');
  const line = (name: string) => value.map((said) => (said === undefined ? [] : [name, said]));
  const lines = fc
    .tuple(line('Remote-User'), line('Remote-Groups'), line('Remote-Email'), line('Remote-Name'))
    .map((each) => each.flat());
  const configured = fc.constantFrom(identity, withoutDefault, { ...identity, userHeader: undefined });
  assertCases(
    fc.property(configured, fc.array(lines, { minLength: 1, maxLength: 30 }), (of, requests) => {
      const strategy = proxyHeaders(of);
      for (const headers of requests) {
        const asked = {
          entryPoint: 'authenticated',
          method: 'GET',
          uri: '/',
          headers,
          host: '',
          secure: true,
        } as const;
        expect(strategy(asked)).toEqual(identityByHeaders(headers, of));
      }
    }),
    { numRuns: 500 },
  );
});
