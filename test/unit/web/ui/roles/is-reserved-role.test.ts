import { expect, test } from 'vitest';
import { isReservedRole } from '../../../../../src/web/ui/roles/is-reserved-role.ts';
import { spellingsOfNone } from '../../../../support/spellings-of-none.ts';

test.each([...spellingsOfNone, 'admin', 'Viewer'])('%s is reserved', (name) => {
  expect(isReservedRole(name)).toBe(true);
});

test.each(['none_', 'family', ''])('%j is not', (name) => {
  expect(isReservedRole(name)).toBe(false);
});
