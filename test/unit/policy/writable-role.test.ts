import { describe, expect, test } from 'vitest';
import { obstacleTo } from '../../../src/policy/writable-role.ts';

describe('a recorder accepts', () => {
  const cameras = new Set(['x']);
  test.each(['guest', 'Guest_2', '_a', 'a_', '2nd', 'a'.repeat(64)])('the name %s', (name) => {
    expect(obstacleTo(name, cameras)).toBeUndefined();
  });
  test.each(['', '7', '1_000', '_', '__', 'a.b', '.', 'a-b', 'ä', 'a b', 'a\n', 'Admin', 'VIEWER'])(
    'no name %j',
    (name) => {
      expect(obstacleTo(name, cameras)).toBe('role_name_refused');
    },
  );
  test('no role without cameras', () => {
    expect(obstacleTo('guest', new Set())).toBe('role_without_cameras');
    expect(obstacleTo('a.b', new Set())).toBe('role_name_refused');
  });
});
