import { expect, test } from 'vitest';
import { isProved } from '../../../src/api/require-step-up.ts';
import type { Session } from '../../../src/accounts/sessions/session-token.ts';

const now = 1_800_000_000_000;

test.each<[what: string, authenticatedAt: number | undefined, isFresh: boolean]>([
  ['now', now, true],
  ['ten minutes ago', now - 600_000, true],
  ['longer ago', now - 600_001, false],
  ['never', undefined, false],
  ['by a clock that is a little ahead', now + 5_000, true],
  ['in the future, since the clock was set back', now + 5_001, false],
])('a proof given %s is fresh: %s', (_, authenticatedAt, isFresh) => {
  const session = { claims: { authenticatedAt } } as Session;
  expect(isProved(session, { now: () => now })).toBe(isFresh);
});
