import { expect, test } from 'vitest';
import { sessionOrDisplay } from '../../../../src/features/displays/strategy.ts';
import type { PresentedDisplay } from '../../../../src/features/displays/display-credentials.ts';
import { capabilities, type Capability } from '../../../../src/policy/capability.ts';
import { rolesOf } from '../../../support/roles.ts';

/** What a display may do, given what is stored of it. */
async function mayOf(stored: ReadonlySet<Capability> | undefined) {
  const display = { id: 'd', owner: 'nell', ownerRole: 'admin', cameras: undefined, may: stored };
  const presented = { display, generation: 1 } as unknown as PresentedDisplay;
  const strategy = sessionOrDisplay(
    () => ({ refused: 'no_session' }),
    { recall: () => presented, check: () => Promise.resolve(presented) },
    { read: () => 'a credential' },
    { roles: rolesOf([]), issuer: undefined },
  );
  const found = await strategy({ headers: [] } as unknown as Parameters<typeof strategy>[0]);
  return found !== undefined && 'identity' in found ? [...(found.identity.token?.may ?? capabilities)] : [];
}

test.each<[stored: readonly Capability[] | undefined, may: readonly Capability[]]>([
  [['live'], ['live']],
  [
    ['live', 'history', 'export'],
    ['live', 'history', 'export'],
  ],
  [capabilities, ['live', 'history', 'export']],
  [undefined, ['live', 'history', 'export']],
])('a display that has %j stored may %j whatever its user may do', async (stored, may) => {
  expect((await mayOf(stored && new Set(stored))).toSorted()).toEqual([...may].toSorted());
});
