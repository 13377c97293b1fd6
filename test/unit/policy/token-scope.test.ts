import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capabilities, type Capability } from '../../../src/policy/capability.ts';
import { isGranted } from '../../../src/policy/grant.ts';
import { accessOfRole, currentRole, type Roles } from '../../../src/policy/role-access.ts';
import {
  accessOf,
  isWithinOwner,
  scopeProblem,
  tokenRoles,
  type TokenScope,
} from '../../../src/policy/token-scope.ts';
import { assertCases } from '../../support/assert-cases.ts';
import { rolesOf } from '../../support/roles.ts';

const listed = [
  ['family', ['front', 'garden']],
  ['porch', ['front']],
  ['garage', ['garage']],
  ['nothing', []],
] as const;
const roles = rolesOf(listed);
const scope = (role: string, cameras?: readonly string[], may?: readonly Capability[]): TokenScope => ({
  role,
  cameras: cameras && new Set(cameras),
  may: may && new Set(may),
});

describe('the roles that an owner may give', () => {
  test.each<[owner: string, given: string[]]>([
    ['admin', ['admin', 'viewer', 'family', 'porch', 'garage', 'nothing']],
    ['viewer', ['viewer', 'family', 'porch', 'garage', 'nothing']],
    ['family', ['family', 'porch', 'nothing']],
    ['porch', ['porch', 'nothing']],
    ['nothing', ['nothing']],
    // Counts as viewer.
    ['former', ['viewer', 'family', 'porch', 'garage', 'nothing']],
    ['none', []],
    ['None', []],
  ])('%s: %j', (owner, given) => {
    expect(tokenRoles(owner, roles)).toEqual(given);
  });

  test.each<[schedule: string, access: Readonly<Record<string, object>>, family: string[], viewer: string[]]>(
    [
      [
        'the owner has',
        { family: { hours: '07:00-19:00' } },
        ['family'],
        ['viewer', 'family', 'porch', 'garage', 'nothing'],
      ],
      [
        'the given role has',
        { porch: { hours: '07:00-19:00' } },
        ['family', 'porch', 'nothing'],
        ['viewer', 'family', 'porch', 'garage', 'nothing'],
      ],
    ],
  )('where %s a schedule', (_, access, family, viewer) => {
    const scheduled = rolesOf(listed, access);
    expect([tokenRoles('family', scheduled), tokenRoles('viewer', scheduled)]).toEqual([family, viewer]);
  });

  test('never include an undefined role', () => {
    for (const owner of ['admin', 'viewer', 'former'])
      expect(isWithinOwner(scope('former'), owner, roles)).toBe(false);
  });

  test('do not limit an admin token to cameras, or in what it may do: it reaches the configuration', () => {
    expect(isWithinOwner(scope('admin'), 'admin', roles)).toBe(true);
    expect(isWithinOwner(scope('admin', ['front']), 'admin', roles)).toBe(false);
    expect(isWithinOwner(scope('admin', undefined, capabilities), 'admin', roles)).toBe(false);
  });
});

describe('a role is too wide if it may do what its owner’s may not', () => {
  test.each<[owner: string, given: string, ofOwner: Capability[], ofGiven: Capability[], isWithin: boolean]>([
    ['family', 'porch', ['live', 'history'], ['live'], true],
    ['family', 'porch', ['live', 'history'], ['history', 'live'], true],
    ['family', 'porch', ['live', 'history'], ['live', 'export'], false],
    ['family', 'porch', ['live'], ['live', 'ptz'], false],
    ['family', 'porch', ['live'], ['history'], false],
    ['family', 'porch', ['ptz'], ['ptz'], true],
    // A narrowed viewer.
    ['viewer', 'porch', ['live'], ['live'], true],
    ['viewer', 'porch', ['live'], ['live', 'history'], false],
    ['former', 'porch', ['live'], ['history'], false],
    ['family', 'viewer', ['live'], ['live'], false],
    ['admin', 'porch', [], ['live', 'history', 'export', 'ptz'], true],
    ['admin', 'viewer', [], ['live'], true],
  ])('%s with %j gives %s with %j: %s', (owner, given, ofOwner, ofGiven, isWithin) => {
    const set = Object.fromEntries(
      [[currentRole(owner, roles), ofOwner] as const, [given, ofGiven] as const].flatMap(([role, may]) =>
        role === 'admin' ? [] : [[role, { may }]],
      ),
    );
    const all = rolesOf(listed, set);
    expect(isWithinOwner(scope(given), owner, all)).toBe(isWithin);
    expect(tokenRoles(owner, all).includes(given)).toBe(isWithin);
    // The recorder only gets the role: narrowing the token does not make up for it.
    expect(isWithinOwner(scope(given, ['front'], ['live']), owner, all)).toBe(isWithin);
  });

  test.each<[owner: string, access: readonly Capability[]]>([
    ['viewer', ['live']],
    ['family', ['ptz']],
  ])('the own role of %s never is', (owner, may) => {
    expect(isWithinOwner(scope(owner), owner, rolesOf(listed, { [owner]: { may } }))).toBe(true);
  });

  test('by default no custom role is too wide for a viewer, and one that may move cameras is for a default one', () => {
    const movable = rolesOf(listed, { porch: { may: capabilities } });
    expect(isWithinOwner(scope('porch'), 'viewer', movable)).toBe(true);
    expect(isWithinOwner(scope('porch'), 'family', movable)).toBe(false);
  });
});

describe('a requested scope', () => {
  test.each<
    [
      what: string,
      owner: string,
      wanted: TokenScope,
      problem?: [part: 'role' | 'cameras' | 'may', text: string],
    ]
  >([
    ['viewer of some cameras', 'viewer', scope('viewer', ['front', 'garage'])],
    ['a custom role, narrower', 'family', scope('family', ['garden'])],
    ['a camera twice', 'admin', scope('viewer', ['front', 'front'])],
    [
      'a wider role',
      'family',
      scope('viewer'),
      ['role', 'The role should be one that its owner may give: family, porch, nothing'],
    ],
    ['a role of other cameras', 'family', scope('garage'), ['role', 'one that its owner may give']],
    ['a wider role of the own cameras', 'family', scope('viewer', ['front']), ['role', 'its owner may give']],
    ['admin by viewer', 'viewer', scope('admin'), ['role', 'one that its owner may give']],
    ['a role in other letters', 'admin', scope('Viewer'), ['role', 'one that its owner may give']],
    ['a role that there is not', 'admin', scope('former'), ['role', 'one that its owner may give']],
    ['no camera', 'viewer', scope('viewer', []), ['cameras', 'Name a camera at least']],
    [
      'a camera that there is not',
      'viewer',
      scope('viewer', ['attic']),
      ['cameras', 'There is no camera attic'],
    ],
    [
      'a camera that is not of the role',
      'family',
      scope('porch', ['garden']),
      ['cameras', 'The role porch is not granted the camera garden'],
    ],
    ['cameras of admin', 'admin', scope('admin', ['front']), ['cameras', 'cannot be limited to cameras']],
    ['some of what the role may do', 'family', scope('family', undefined, ['live'])],
    ['all of what the role may do', 'family', scope('porch', ['front'], ['live', 'history', 'export'])],
    ['everything of viewer', 'viewer', scope('viewer', undefined, capabilities)],
    [
      'more than the role may do',
      'family',
      scope('family', undefined, ['live', 'ptz']),
      ['may', 'The role family does not have ptz'],
    ],
    [
      'what admin may do',
      'admin',
      scope('admin', undefined, ['live']),
      ['may', 'A token with the role admin may do everything'],
    ],
    ['both narrower', 'viewer', scope('viewer', ['front'], ['live'])],
  ])('%s', (_, owner, wanted, problem) => {
    const found = scopeProblem(wanted, owner, roles, ['front', 'garden', 'garage']);
    if (problem === undefined) return expect(found).toBeUndefined();
    expect(found).toEqual({ part: problem[0], message: expect.stringContaining(problem[1]) as string });
  });

  test('accepts any camera if the configuration has none', () => {
    expect(scopeProblem(scope('viewer', ['attic']), 'viewer', roles, undefined)).toBeUndefined();
  });
});

describe('the access of an identity', () => {
  const family = accessOfRole('family', rolesOf(listed, { family: { hours: '07:00-19:00' } }));
  const of = (role: string, cameras?: readonly string[], may?: readonly Capability[]) =>
    accessOf(
      { role, token: { id: 't', cameras: cameras && new Set(cameras), may: may && new Set(may) } },
      rolesOf(listed, { family: { hours: '07:00-19:00' } }),
    );

  test.each<
    [what: string, given: ReturnType<typeof of>, cameras: 'all' | string[], may: readonly Capability[]]
  >([
    ['the whole role', of('family'), ['front', 'garden'], ['live', 'history', 'export']],
    ['some cameras', of('family', ['garden']), ['garden'], ['live', 'history', 'export']],
    ['a camera that the role lost', of('family', ['garage']), [], ['live', 'history', 'export']],
    ['some cameras of all', of('viewer', ['attic']), ['attic'], capabilities],
    ['less to do', of('family', undefined, ['live']), ['front', 'garden'], ['live']],
    ['what the role lost', of('family', undefined, ['live', 'ptz']), ['front', 'garden'], ['live']],
    ['nothing that is left', of('family', ['garden'], ['ptz']), ['garden'], []],
    ['less to do with all cameras', of('viewer', undefined, ['ptz']), 'all', ['ptz']],
    ['a role that there is not', of('former', ['front'], ['live']), [], []],
  ])('with a token for %s', (_, given, cameras, may) => {
    expect(given.cameras).toEqual(cameras === 'all' ? 'all' : new Set(cameras));
    expect(given.may).toEqual(new Set(may));
  });

  test('has the schedule of the role, not that of the token', () => {
    expect(of('family', ['front'], ['live']).schedule).toEqual(family.schedule);
    expect(of('viewer', ['front']).schedule).toBeUndefined();
  });

  test('without a token, is that of the role itself: a decision makes none', () => {
    expect(accessOf({ role: 'family' }, roles)).toBe(roles.get('family'));
    expect(accessOf({ role: 'family', token: { id: 't', cameras: undefined } }, roles)).toBe(
      roles.get('family'),
    );
  });
});

const camera = fc.constantFrom('front', 'garden', 'garage', 'attic');
const cameras = fc.uniqueArray(camera).map((names) => new Set(names));
const may = fc.subarray([...capabilities]);
const role = fc.constantFrom('admin', 'viewer', 'a', 'b', 'c', 'former');
const definition = fc.option(fc.tuple(cameras, fc.option(may, { nil: undefined })), { nil: undefined });
const definitions = fc
  .tuple(definition, definition, definition, fc.option(may, { nil: undefined }))
  .map(([a, b, c, ofViewer]): Roles => {
    const custom = Object.entries({ a, b, c }).filter(([, defined]) => defined !== undefined);
    return rolesOf(
      custom.map(([name, defined]) => [name, defined?.[0] ?? []]),
      Object.fromEntries([
        ...custom.map(([name, defined]) => [name, { may: defined?.[1] }]),
        ['viewer', { may: ofViewer }],
      ]),
    );
  });

test('a token never grants a camera, or lets do, what its owner or role lacks, whatever roles change', () => {
  assertCases(
    fc.property(
      role,
      role,
      fc.option(cameras, { nil: undefined }),
      fc.option(
        may.map((words) => new Set(words)),
        { nil: undefined },
      ),
      definitions,
      (owner, given, ownCameras, ownMay, of) => {
        if (!isWithinOwner({ role: given, cameras: ownCameras, may: ownMay }, owner, of)) return;
        const token = { id: 't', cameras: ownCameras, may: ownMay };
        const access = accessOf({ role: given, token }, of);
        for (const limit of [accessOfRole(currentRole(owner, of), of), accessOfRole(given, of)]) {
          for (const asked of ['front', 'garden', 'garage', 'attic'])
            if (isGranted(access.cameras, asked)) expect(isGranted(limit.cameras, asked)).toBe(true);
          expect(access.may.isSubsetOf(limit.may)).toBe(true);
        }
        if (ownCameras !== undefined && access.cameras !== 'all')
          expect(access.cameras.isSubsetOf(ownCameras)).toBe(true);
        if (ownCameras !== undefined) expect(access.cameras).not.toBe('all');
        if (ownMay !== undefined) expect(access.may.isSubsetOf(ownMay)).toBe(true);
        if (given === 'admin')
          expect([currentRole(owner, of), ownCameras, ownMay]).toEqual(['admin', undefined, undefined]);
      },
    ),
    { numRuns: 5_000, reaching: 0.1 },
  );
});
