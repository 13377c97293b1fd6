import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { grantOf, isGranted, currentRole, type CustomRoles } from '../../../src/policy/grant.ts';
import type { Schedule } from '../../../src/policy/schedule.ts';
import { grantOfIdentity, isWithinOwner, scopeProblem, tokenRoles } from '../../../src/policy/token-scope.ts';
import { assertCases } from '../../support/assert-cases.ts';

const customRoles = new Map([
  ['family', new Set(['front', 'garden'])],
  ['porch', new Set(['front'])],
  ['garage', new Set(['garage'])],
  ['nothing', new Set<string>()],
]);
const always = new Map<string, Schedule>();
const scope = (role: string, cameras?: readonly string[]) => ({
  role,
  cameras: cameras && new Set(cameras),
});

describe('the roles that an owner may give', () => {
  test.each<[owner: string, roles: string[]]>([
    ['admin', ['admin', 'viewer', 'family', 'porch', 'garage', 'nothing']],
    ['viewer', ['viewer', 'family', 'porch', 'garage', 'nothing']],
    ['family', ['family', 'porch', 'nothing']],
    ['porch', ['porch', 'nothing']],
    ['nothing', ['nothing']],
    // Counts as viewer.
    ['former', ['viewer', 'family', 'porch', 'garage', 'nothing']],
  ])('%s: %j', (owner, roles) => {
    expect(tokenRoles(owner, customRoles, always)).toEqual(roles);
  });

  test('are only the owner’s role if it has a schedule', () => {
    const schedules = new Map([['family', { hours: '07:00-19:00' }]]);
    expect(tokenRoles('family', customRoles, schedules)).toEqual(['family']);
    expect(tokenRoles('viewer', customRoles, schedules)).toContain('family');
  });

  test('never include an undefined role', () => {
    for (const owner of ['admin', 'viewer', 'former']) {
      expect(isWithinOwner(scope('former'), owner, customRoles, always)).toBe(false);
    }
  });

  test('do not limit an admin token to cameras: it reaches the configuration', () => {
    expect(isWithinOwner(scope('admin', ['front']), 'admin', customRoles, always)).toBe(false);
  });
});

describe('a requested scope', () => {
  test.each<[what: string, owner: string, role: string, cameras: string[] | undefined, problem?: string]>([
    ['viewer of some cameras', 'viewer', 'viewer', ['front', 'garage']],
    ['a custom role, narrower', 'family', 'family', ['garden']],
    ['a camera twice', 'admin', 'viewer', ['front', 'front']],
    ['a wider role', 'family', 'viewer', undefined, 'one that its owner may give: family, porch, nothing'],
    ['a role of other cameras', 'family', 'garage', undefined, 'one that its owner may give'],
    ['a wider role of the own cameras', 'family', 'viewer', ['front'], 'one that its owner may give'],
    ['admin by viewer', 'viewer', 'admin', undefined, 'one that its owner may give'],
    ['a role in other letters', 'admin', 'Viewer', undefined, 'one that its owner may give'],
    ['a role that there is not', 'admin', 'former', undefined, 'one that its owner may give'],
    ['no camera', 'viewer', 'viewer', [], 'Name a camera at least'],
    ['a camera that there is not', 'viewer', 'viewer', ['attic'], 'There is no camera attic'],
    ['a camera that is not of the role', 'family', 'porch', ['garden'], 'porch is not granted the camera'],
    ['cameras of admin', 'admin', 'admin', ['front'], 'cannot be limited'],
  ])('%s', (_, owner, role, cameras, problem) => {
    const known = ['front', 'garden', 'garage'];
    const found = scopeProblem(scope(role, cameras), owner, customRoles, always, known)?.message;
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });

  test('accepts any camera if the configuration has none', () => {
    expect(
      scopeProblem(scope('viewer', ['attic']), 'viewer', customRoles, always, undefined),
    ).toBeUndefined();
  });
});

const camera = fc.constantFrom('front', 'garden', 'garage', 'attic');
const cameras = fc.uniqueArray(camera).map((names) => new Set(names));
const role = fc.constantFrom('admin', 'viewer', 'a', 'b', 'c', 'former');
const definitions = fc
  .tuple(cameras, cameras, cameras, fc.subarray(['a', 'b', 'c']))
  .map(
    ([a, b, c, defined]): CustomRoles =>
      new Map(Object.entries({ a, b, c }).filter(([name]) => defined.includes(name))),
  );

test('a token never grants a camera that its owner or role lacks, whatever roles change', () => {
  assertCases(
    fc.property(
      role,
      role,
      fc.option(cameras, { nil: undefined }),
      definitions,
      camera,
      (owner, given, ownCameras, roles, asked) => {
        const token = { role: given, cameras: ownCameras };
        if (!isWithinOwner(token, owner, roles, always)) return;
        const grant = grantOfIdentity({ role: given, token: { id: 't', cameras: ownCameras } }, roles);
        if (isGranted(grant, asked)) {
          expect(isGranted(grantOf(currentRole(owner, roles), roles), asked)).toBe(true);
          expect(isGranted(grantOf(given, roles), asked)).toBe(true);
          if (ownCameras !== undefined) expect(ownCameras.has(asked)).toBe(true);
        }
        if (given === 'admin') expect([currentRole(owner, roles), ownCameras]).toEqual(['admin', undefined]);
      },
    ),
    { numRuns: 5_000, reaching: 0.1 },
  );
});
