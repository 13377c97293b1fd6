import { describe, expect, test } from 'vitest';
import {
  definitionIn,
  newNameIn,
  viewerIn,
  isReservedRole,
} from '../../../../../src/web/ui/roles/role-form.ts';
import { spellingsOfNone } from '../../../../support/spellings-of-none.ts';

/** Fields in the order of the dialog; several with one name are switches. */
const form = (fields: ReadonlyArray<readonly [name: string, value: string]>) => {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  return data;
};
const garage = ['camera', 'garage'] as const;
const outside = ['group', 'outside'] as const;
const may = (...words: readonly string[]) => words.map((word) => ['may', word] as const);
const byDefault = may('live', 'history', 'export');

describe('the dialog of a custom role defines', () => {
  test.each([
    ['cameras alone', [garage, ...byDefault], { cameras: ['garage'], access: null }],
    ['groups alone', [outside, ...byDefault], { cameras: [], access: { groups: ['outside'] } }],
    ['less than the default', [garage, ...may('live')], { cameras: ['garage'], access: { may: ['live'] } }],
    [
      'more than the default, in the usual order',
      [garage, ...may('talk', 'share', 'ptz', 'export', 'live', 'history')],
      { cameras: ['garage'], access: { may: ['live', 'history', 'export', 'ptz', 'share', 'talk'] } },
    ],
    [
      'a schedule, and earlier recordings hidden',
      [garage, ...byDefault, ['from-day', '2026-12-20'], ['history', 'hidden']],
      { cameras: ['garage'], access: { from: '2026-12-20', history: 'from' } },
    ],
    [
      'all of it',
      [garage, outside, ...may('live'), ['hours-begin', '07:00'], ['hours-end', '19:00']],
      { cameras: ['garage'], access: { groups: ['outside'], may: ['live'], hours: '07:00-19:00' } },
    ],
    [
      'no word that is none',
      [garage, ...byDefault, ...may('everything')],
      { cameras: ['garage'], access: null },
    ],
  ] as const)('%s', (_, fields, definition) => {
    expect(definitionIn(form(fields))).toEqual(definition);
  });

  test.each([
    ['neither camera nor group', byDefault, 'Choose at least one camera or group.'],
    ['nothing that it may do', [garage], 'Choose at least one thing that the role may do.'],
  ] as const)('nothing with %s', (_, fields, problem) => {
    expect(() => definitionIn(form(fields))).toThrow(problem);
  });
});

describe('the dialog of viewer defines', () => {
  test.each([
    ['the default', may('live', 'history', 'export', 'ptz', 'share', 'talk'), null],
    [
      'all but sharing',
      may('live', 'history', 'export', 'ptz'),
      { may: ['live', 'history', 'export', 'ptz'] },
    ],
    ['less', byDefault, { may: ['live', 'history', 'export'] }],
  ] as const)('%s', (_, fields, access) => {
    expect(viewerIn(form(fields))).toEqual({ cameras: [], access });
  });

  test('nothing when all switches are off', () => {
    expect(() => viewerIn(form([]))).toThrow('Choose at least one thing');
  });
});

describe('the name of a new role', () => {
  const named = (name: string) => () => newNameIn(form([['name', name]]), ['family']);

  test('is as typed', () => {
    expect(named('Guests.2')()).toBe('Guests.2');
  });

  test.each([
    ['Family', 'already a role with this name'],
    ['NONE', 'reserved'],
    ['Viewer', 'reserved'],
    ['admin', 'reserved'],
  ])('is not %s', (name, problem) => {
    expect(named(name)).toThrow(problem);
  });
});

test.each([...spellingsOfNone, 'admin', 'Viewer'])('%s is reserved', (name) => {
  expect(isReservedRole(name)).toBe(true);
});

test.each(['none_', 'family', ''])('%j is not', (name) => {
  expect(isReservedRole(name)).toBe(false);
});
