import { expect, test } from 'vitest';
import { lostRestrictions } from '../../../src/config/lost-restrictions.ts';

const applied = `auth:
  roles: { kid: [front], dad: [yard] }
  role_access:
    kid: { may: [live], from: 2026-12-20, until: 2027-01-05, hours: "07:00-19:00", history: from }
    viewer: { may: [live] }
  oidc:
    role_map: { none: [strangers] }
proxy:
  role_map: { kid: [kids], none: [former, suspended] }
  user_map: { olaf: dad, eve: none, adam: None }
`;

test.each<[what: string, lose: (text: string) => string, warnings: readonly string[]]>([
  ['nothing', (text) => text, []],
  ['a comment', (text) => `# ours\n${text}`, []],
  [
    'until',
    (text) => text.replace('until: 2027-01-05, ', ''),
    ['auth.role_access.kid no longer has until: the role kid has access without an end'],
  ],
  [
    'until, which has no value',
    (text) => text.replace('until: 2027-01-05, ', 'until: null, '),
    ['auth.role_access.kid no longer has until: the role kid has access without an end'],
  ],
  [
    'hours and history',
    (text) => text.replace(', hours: "07:00-19:00", history: from', ''),
    [
      'auth.role_access.kid no longer has hours: the role kid has access at all hours',
      'auth.role_access.kid no longer has history: the role kid sees earlier recordings too',
    ],
  ],
  [
    'the words of viewers',
    (text) => text.replace('    viewer: { may: [live] }\n', ''),
    ['auth.role_access.viewer no longer has may: the role viewer may do what a role may by default'],
  ],
  [
    'role_access as a whole',
    (text) => text.replace(/ {2}role_access:\n.*\n.*\n/, ''),
    ['may', 'from', 'until', 'hours', 'history', 'may'].map((key) =>
      expect.stringMatching(`^auth\\.role_access\\.(kid|viewer) no longer has ${key}: `),
    ),
  ],
  ['a role as a whole', (text) => text.replace('kid: [front], ', '').replace(/ {4}kid: \{.*\n/, ''), []],
  ['another until', (text) => text.replace('2027-01-05', '2028-01-05'), []],
  [
    'a user who was refused',
    (text) => text.replace(', eve: none', ''),
    ['proxy.user_map no longer refuses eve by none'],
  ],
  [
    'a user who is refused no longer',
    (text) => text.replace('adam: None', 'adam: viewer'),
    ['proxy.user_map no longer refuses adam by none'],
  ],
  [
    'groups that were refused',
    (text) => text.replace('none: [former, suspended]', 'none: [former]').replace(/ {2}oidc:\n.*\n/, ''),
    [
      'proxy.role_map no longer refuses suspended by none',
      'auth.oidc.role_map no longer refuses strangers by none',
    ],
  ],
  [
    'a role map that stands in its other place',
    (text) =>
      text.replace(
        '  role_map: { kid: [kids], none: [former, suspended] }',
        '  header_map: { role_map: { none: [former, suspended] } }',
      ),
    [],
  ],
])('%s', (_, lose, warnings) => {
  expect(lostRestrictions(applied, lose(applied))).toEqual(warnings);
});

test('a text that was never valid is no measure', () => {
  expect(lostRestrictions('auth: {', 'contact: Olaf\n')).toEqual([]);
});
