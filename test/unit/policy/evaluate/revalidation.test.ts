import { mayByDefault } from '../../../../src/policy/capability.ts';
import { expect, test } from 'vitest';
import type { AccessRule } from '../../../../src/policy/access-rule.ts';
import type { Allowed } from '../../../../src/policy/decision.ts';
import { endOf, refuseRevalidation } from '../../../../src/policy/evaluate/revalidation.ts';
import { plainIdentity } from '../../../../src/policy/identity.ts';

const identity = plainIdentity('olaf', 'family', 'session');
const garage = new Set(['garage']);
const permitted: Allowed = {
  outcome: 'allow',
  reason: 'allowed',
  identity,
  grant: garage,
  may: mayByDefault,
};
const messages = { ...permitted, rule: { messages: true } as AccessRule, isGuarded: true };

test.each<readonly [name: string, now: Parameters<typeof refuseRevalidation>[1], reason: string | undefined]>(
  [
    ['the same', permitted, undefined],
    ['the same, with other cameras', { ...permitted, grant: new Set(['driveway']) }, undefined],
    ['a refusal', { outcome: 'forbidden', reason: 'camera_not_granted', identity }, 'camera_not_granted'],
    [
      'another user',
      { ...permitted, identity: plainIdentity('otto', 'family', 'session') },
      'identity_changed',
    ],
    [
      'another role',
      { ...permitted, identity: plainIdentity('olaf', 'guests', 'session') },
      'identity_changed',
    ],
    [
      'another source',
      { ...permitted, identity: plainIdentity('olaf', 'family', 'proxy') },
      'identity_changed',
    ],
    ['no one', { ...permitted, identity: undefined }, 'identity_changed'],
    [
      'another API token',
      { ...permitted, identity: { ...identity, token: { id: 'one', cameras: undefined } } },
      'identity_changed',
    ],
    ['a list of others', { ...permitted, narrowed: '/api/events?cameras=garage' }, 'grant_changed'],
  ],
)('what was permitted, and would be %s now', (_, now, reason) => {
  expect(refuseRevalidation(permitted, now)).toBe(reason);
});

test('filtered messages continue with another grant, but not without a filter', () => {
  expect(refuseRevalidation(messages, { ...messages, grant: new Set(['driveway']) })).toBeUndefined();
  const unread = { ...messages, isGuarded: false };
  expect(refuseRevalidation(messages, unread)).toBe('grant_changed');
  expect(refuseRevalidation(unread, messages)).toBe('grant_changed');
  expect(refuseRevalidation(unread, unread)).toBeUndefined();
});

test('a decision expires with the first part of its basis', () => {
  const token = { id: 'one', cameras: undefined, expiresAt: 3 };
  const byToken = { ...permitted, identity: { ...identity, token } };
  expect([
    endOf(permitted, undefined),
    endOf({ ...permitted, until: 2 }, { expiresAt: 4 }),
    endOf({ ...permitted, until: 5 }, { expiresAt: 4 }),
    endOf({ ...byToken, until: 5 }, undefined),
  ]).toEqual([Number.POSITIVE_INFINITY, 2, 4, 3]);
});
