import { expect, test } from 'vitest';
import { madeRoleName } from '../../../../src/api/invitations/made-role.ts';

test.each<[name: string | undefined, taken: string[], role: string]>([
  ['nell', [], 'guest.nell'],
  ['nell', ['guest.nell'], 'guest.nell.2'],
  ['nell', ['guest.nell', 'GUEST.NELL.2'], 'guest.nell.3'],
  [undefined, [], 'guest.one'],
  // A role has neither a hyphen nor an at sign in its name.
  ['nell-b@example.org', [], 'guest.nellbexample.org'],
  ['-', [], 'guest.one'],
  ['x'.repeat(64), [], `guest.${'x'.repeat(48)}`],
])('for %s beside %j: %s', (name, taken, role) => expect(madeRoleName(name, taken)).toBe(role));
