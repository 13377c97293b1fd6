import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSessionMemory } from '../../../../src/identity/sessions/session-memory.ts';
import { createSessionTokens } from '../../../../src/identity/sessions/session-token.ts';
import type { Session, SessionUser } from '../../../../src/identity/sessions/session.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const now = 1_800_000_000_000;
const checked = { version: 1, since: now };

const sessionOf = (username: string, expiresAt = now + 60_000): Session => ({
  user: {
    username,
    role: 'viewer',
    generation: 'g',
    notBefore: 0,
    issuer: undefined,
    hasSecondFactor: false,
  },
  claims: { username, issuedAt: now, expiresAt, sessionId: 's', generation: 'g' },
  expiresAt,
  lastSeenAt: Number.NEGATIVE_INFINITY,
});

describe('the memory of tokens', () => {
  const token = 'the.very.token';
  test.each<[what: string, found: boolean, token: string, version: number, at: number]>([
    ['the token, at once', true, token, 1, now],
    ['the token, just before its end', true, token, 1, now + 59_999],
    ['the token, at its end', false, token, 1, now + 60_000],
    ['the token, when the clock went back', false, token, 1, now - 1],
    ['the token, when the store changed', false, token, 2, now],
    ['a part of it', false, token.slice(0, -1), 1, now],
    ['more than it', false, `${token} `, 1, now],
    ['another with the same end', false, `T${token.slice(1)}`, 1, now],
    ['nothing', false, '', 1, now],
  ])('%s: %s', (_, found, asked, version, at) => {
    const memory = createSessionMemory(100_000);
    memory.remember(token, sessionOf('olaf'), checked);
    expect(memory.recall(asked, version, at)?.user.username).toBe(found ? 'olaf' : undefined);
  });

  test('finds only the exact same text, among any number', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme-ascii', maxLength: 3 }),
      fc.string({ unit: 'grapheme-ascii', minLength: 300, maxLength: 600 }),
    );
    assertCases(
      fc.property(fc.array(text, { maxLength: 40 }), fc.integer({ min: 0, max: 30_000 }), (texts, bytes) => {
        const memory = createSessionMemory(bytes);
        for (const kept of texts) memory.remember(kept, sessionOf(kept), checked);
        for (const asked of [...texts, ...texts.map((kept) => `${kept}x`)])
          expect([undefined, asked]).toContain(memory.recall(asked, 1, now)?.user.username);
        expect(memory.bytes()).toBeLessThanOrEqual(bytes);
      }),
    );
  });

  test('holds nearly all that it has room for', () => {
    const memory = createSessionMemory(4_000_000);
    const tokens = Array.from({ length: 6_000 }, (_, i) => `token.${i}.${'x'.repeat(300)}${i * 7_919}`);
    for (const kept of tokens) memory.remember(kept, sessionOf(kept), checked);
    const found = tokens.filter((kept) => memory.recall(kept, 1, now)?.user.username === kept);
    expect(found.length).toBeGreaterThan(5_900);
    expect(memory.entries()).toBe(6_000);
  });

  test.each<[what: string, isShared: boolean, of: Partial<SessionUser>]>([
    ['the same user', true, {}],
    ['another user', false, { username: 'vera' }],
    ['another role', false, { role: 'admin' }],
    ['another generation', false, { generation: 'h' }],
    ['a later beginning', false, { notBefore: 1 }],
    ['another provider', false, { issuer: 'https://id.example' }],
    ['a second factor', false, { hasSecondFactor: true }],
  ])('two sessions share the object of their user: %s: %s', (_, isShared, changed) => {
    const memory = createSessionMemory(100_000);
    const session = sessionOf('olaf');
    const { user } = memory.remember('one', session, checked);
    const other = memory.remember('other', { ...session, user: { ...user, ...changed } }, checked);
    expect(other.user).toEqual({ ...user, ...changed });
    expect(other.user === user).toBe(isShared);
  });

  test('holds the last check', () => {
    const memory = createSessionMemory(100_000);
    memory.remember(token, sessionOf('olaf'), checked);
    memory.remember(token, sessionOf('anna'), { version: 2, since: now + 1 });
    expect(memory.recall(token, 1, now + 1)).toBeUndefined();
    expect(memory.recall(token, 2, now + 1)?.user.username).toBe('anna');
    expect(memory.entries()).toBe(1);
  });

  test('ignores a token longer than any of ours', () => {
    const memory = createSessionMemory(100_000);
    expect(memory.remember('x'.repeat(513), sessionOf('olaf'), checked).user.username).toBe('olaf');
    expect(memory.recall('x'.repeat(513), 1, now)).toBeUndefined();
    expect(memory.entries()).toBe(0);
  });

  test('keeps used sessions, and evicts unused ones', () => {
    const memory = createSessionMemory(20_000);
    memory.remember(token, sessionOf('olaf'), checked);
    for (let i = 0; i < 200; i += 1) {
      memory.remember(`token.${i}`, sessionOf(`user${i}`), checked);
      expect(memory.recall(token, 1, now)?.user.username).toBe('olaf');
    }
    expect(memory.recall('token.0', 1, now)).toBeUndefined();
  });
});

test('returns the claims of the token', async () => {
  const claims = {
    username: 'olaf',
    issuedAt: now,
    expiresAt: now + 60_000,
    sessionId: 's',
    generation: 'g',
  };
  const token = await createSessionTokens('s'.repeat(64), { now: () => now }).issue(claims, 'admin');
  const memory = createSessionMemory(100_000);
  memory.remember(token, sessionOf('olaf'), checked);
  expect(memory.recall(token, 1, now)?.claims).toEqual(claims);
});

describe('the time a session was last seen', () => {
  test('is kept until the session is evicted, also when it is checked again', () => {
    const memory = createSessionMemory(100_000);
    const session = memory.remember('a.b.c', sessionOf('olaf'), checked);
    expect(session.lastSeenAt).toBe(Number.NEGATIVE_INFINITY);
    session.lastSeenAt = now;
    expect(memory.recall('a.b.c', 1, now)?.lastSeenAt).toBe(now);
    expect(memory.remember('a.b.c', sessionOf('olaf'), { version: 2, since: now }).lastSeenAt).toBe(now);
  });

  test('is not written to another session in the same slot', () => {
    const memory = createSessionMemory(1_000);
    const first = memory.remember('a.b.c', sessionOf('olaf'), checked);
    const second = memory.remember('d.e.f', sessionOf('anna'), checked);
    expect(memory.entries()).toBe(1);
    first.lastSeenAt = now;
    expect(second.lastSeenAt).toBe(Number.NEGATIVE_INFINITY);
  });
});
