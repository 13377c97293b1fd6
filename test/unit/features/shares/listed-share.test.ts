import { expect, test } from 'vitest';
import { listedShare } from '../../../../src/features/shares/listed-share.ts';
import type { Share } from '../../../../src/features/shares/shares.ts';

const share: Share = {
  id: 'a-share-of-olaf-1',
  secretHash: 'ab'.repeat(32),
  kind: 'event',
  object: 'e1',
  camera: 'front',
  from: 1_000_900,
  until: 2_000_900,
  passwordHash: undefined,
  label: undefined,
  creator: { user: 'olaf', role: 'family', source: 'session', tokenId: undefined },
  needsWord: true,
  createdAt: 3_000_900,
  expiresAt: 4_000_900,
};

test('a listed share has its properties, in whole seconds, and no secrets', () => {
  expect(listedShare(share, undefined)).toEqual({
    id: 'a-share-of-olaf-1',
    kind: 'event',
    event: 'e1',
    cameras: ['front'],
    label: null,
    has_password: false,
    from: 1_000,
    until: 2_000,
    made_by: 'olaf',
    made_at: 3_000,
    expires_at: 4_000,
    openings: 0,
    last_opened_at: null,
  });
});

test('a listed share shows how often it was opened, and that it has a password', () => {
  const unlocks = { count: 3, lastAt: 3_500_900, address: '192.0.2.1' };
  expect(listedShare({ ...share, passwordHash: 'h', label: 'for the postman' }, unlocks)).toMatchObject({
    label: 'for the postman',
    has_password: true,
    openings: 3,
    last_opened_at: 3_500,
  });
});

test.each([
  ['export', { export: 'e1' }],
  ['camera', { camera: 'front' }],
] as const)('of an %s, the id or the name is named so', (kind, named) => {
  const listed = listedShare({ ...share, kind }, undefined);
  expect(listed).toMatchObject({ kind, ...named });
  expect(listed).not.toHaveProperty('event');
});
