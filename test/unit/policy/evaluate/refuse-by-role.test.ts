import { rolesOf } from '../../../support/roles.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { refuseByRole } from '../../../../src/policy/evaluate/refuse-by-role.ts';
import { accessOfRole } from '../../../../src/policy/role-access.ts';
import type { Resource } from '../../../../src/policy/resource.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const roles = rolesOf([['family', new Set(['front', 'garden'])]]);
const decideFor = (role: string, method: string | undefined, resource: Resource, changes = false) =>
  refuseByRole({
    role,
    grant: accessOfRole(role, roles).cameras,
    method,
    resource,
    changes,
    isBodyToCome: false,
  });

const granted: Resource = { kind: 'cameras', cameras: ['front'] };
const allGranted: Resource = { kind: 'cameras', cameras: ['front', 'garden'] };
const foreign: Resource = { kind: 'cameras', cameras: ['garage'] };
const oneForeign: Resource = { kind: 'cameras', cameras: ['front', 'garage'] };
const adminOnly: Resource = { kind: 'admin-only' };
const unresolved: Resource = { kind: 'unresolved' };
const everyCamera: Resource = { kind: 'every-camera' };
const inBody: Resource = { kind: 'in-body', names: 'cameras' };
const besideBody: Resource = { kind: 'cameras', cameras: ['front'], names: 'export' };
const neutral: Resource = { kind: 'neutral' };
const ownAccount: Resource = { kind: 'own-account' };

/** `yes`: any method. `read`: GET and HEAD only. Anything else: the reason, for any method. */
type Cell = 'yes' | 'read' | 'admin_only' | 'camera_not_granted' | 'body_unread' | 'target_unresolved';

const table: ReadonlyArray<[what: string, target: Resource, admin: Cell, viewer: Cell, custom: Cell]> = [
  ['one camera that is granted', granted, 'yes', 'read', 'read'],
  ['one camera that is not granted', foreign, 'yes', 'read', 'camera_not_granted'],
  ['several cameras, all granted', allGranted, 'yes', 'read', 'read'],
  ['several cameras, one not granted', oneForeign, 'yes', 'read', 'camera_not_granted'],
  ['admin-only', adminOnly, 'yes', 'admin_only', 'admin_only'],
  ['unresolved', unresolved, 'yes', 'read', 'target_unresolved'],
  ['every camera', everyCamera, 'yes', 'read', 'camera_not_granted'],
  ['what the body names', inBody, 'yes', 'body_unread', 'body_unread'],
  ['a camera, and what the body names', besideBody, 'yes', 'body_unread', 'body_unread'],
  ['neutral', neutral, 'yes', 'read', 'read'],
  ['own account', ownAccount, 'yes', 'yes', 'yes'],
  ['public', { kind: 'public' }, 'yes', 'yes', 'yes'],
];
const reading = ['GET', 'HEAD'];
const writing = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'get', 'Head', '', undefined];

describe.each(table)('%s', (_, target, ...cells) => {
  const byRole = [...['admin', 'viewer', 'family'].entries()].map(
    ([i, role]) => [role, cells[i] as Cell] as const,
  );
  test.each(byRole)('%s: %s', (role, cell) => {
    const expected = (method: string | undefined) => {
      if (cell === 'yes') return undefined;
      if (cell !== 'read') return cell;
      return method !== undefined && reading.includes(method) ? undefined : 'read_only';
    };
    for (const method of [...reading, ...writing]) {
      expect(decideFor(role, method, target), method).toBe(expected(method));
    }
  });
});

test('an undefined role sees no camera', () => {
  expect(decideFor('former_role', 'GET', granted)).toBe('camera_not_granted');
  expect(decideFor('Admin', 'GET', adminOnly)).toBe('admin_only');
});

test('one camera that is not granted closes a target, in any position', () => {
  const cameras = fc.array(fc.constantFrom('front', 'garden', 'garage', 'Front', ''));
  assertCases(
    fc.property(cameras, (names) => {
      const open = names.every((name) => name === 'front' || name === 'garden');
      const reason = decideFor('family', 'GET', { kind: 'cameras', cameras: names });
      expect(reason).toBe(open ? undefined : 'camera_not_granted');
    }),
  );
});

describe('a row that opens its methods to readers', () => {
  test.each<[role: string, target: Resource, reason: string | undefined]>([
    ['viewer', neutral, undefined],
    ['viewer', foreign, undefined],
    ['viewer', adminOnly, 'admin_only'],
    ['family', neutral, undefined],
    ['family', granted, undefined],
    ['family', oneForeign, 'camera_not_granted'],
    ['viewer', everyCamera, undefined],
    ['viewer', inBody, 'body_unread'],
    ['family', everyCamera, 'camera_not_granted'],
    ['family', inBody, 'body_unread'],
    ['family', unresolved, 'target_unresolved'],
    ['family', adminOnly, 'admin_only'],
    ['former_role', granted, 'camera_not_granted'],
  ])('%s, %j: %s', (role, target, reason) => {
    for (const method of ['POST', 'DELETE', 'GET'])
      expect(decideFor(role, method, target, true)).toBe(reason);
  });
});

test('a target that was not looked up is closed to limited roles', () => {
  const target: Resource = { kind: 'recorded', in: 'reviews', ids: ['1.r'] };
  expect(decideFor('family', 'GET', target)).toBe('target_unresolved');
  expect(decideFor('viewer', 'GET', target)).toBeUndefined();
});
