import { expect, test } from 'vitest';
import { createLastSeen } from '../../../src/access/last-seen.ts';
import type { SessionClaims, Session } from '../../../src/accounts/sessions/session-token.ts';
import { clockAt } from '../../support/clock-at.ts';

const start = Date.UTC(2026, 10, 1);
const request = { headers: ['User-Agent', 'curl'], peer: '192.0.2.7', address: '192.0.2.7' };
const claims = {
  username: 'olaf',
  sessionId: '1',
  issuedAt: start,
  expiresAt: start,
  generation: 'g',
} as SessionClaims;

/** Notes a session at each of the moments, in milliseconds from the start. @returns when it was noted, and how often its token was read */
function noteAt(moments: readonly number[], isFull: (moment: number) => boolean = () => false) {
  let now = start;
  let reads = 0;
  const noted: number[] = [];
  const lastSeen = createLastSeen(
    { note: (_, { at }) => void noted.push(at - start), isFull: () => isFull(now - start) },
    () => '192.0.2.7',
    { now: () => now },
  );
  const session = {
    lastSeenAt: Number.NEGATIVE_INFINITY,
    get claims() {
      reads += 1;
      return claims;
    },
  } as unknown as Session;
  for (const moment of moments) {
    now = start + moment;
    lastSeen.note(session, request);
  }
  return { noted, reads };
}

test.each<[what: string, moments: readonly number[], noted: readonly number[]]>([
  ['at first', [0], [0]],
  ['once a minute', [0, 1, 59_999, 60_000, 60_001, 120_000], [0, 60_000, 120_000]],
  ['when the clock goes back', [60_000, 0], [60_000, 0]],
])('a session is noted %s', (_, moments, noted) => {
  expect(noteAt(moments)).toEqual({ noted, reads: noted.length });
});

test('while there is no room, no token is read, and the next request with room is noted', () => {
  expect(noteAt([0, 1, 2, 3], (moment) => moment < 3)).toEqual({ noted: [3], reads: 1 });
});

test('a new token is noted at once', () => {
  const noted: string[] = [];
  const registry = { note: ({ sessionId }: SessionClaims) => void noted.push(sessionId), isFull: () => true };
  createLastSeen(registry, () => '192.0.2.7', clockAt(start)).noteIssued(claims, request);
  expect(noted).toEqual(['1']);
});
