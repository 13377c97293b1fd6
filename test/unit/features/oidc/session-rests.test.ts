import { beforeEach, expect, test, vi } from 'vitest';
import type { Session } from '../../../../src/accounts/sessions/session-token.ts';
import { ProviderError } from '../../../../src/accounts/provider.ts';
import type { ClaimedSession, KnownSession } from '../../../../src/features/oidc/provider-sessions.ts';
import { createSessionRefresh, type Decided } from '../../../../src/features/oidc/session-refresh.ts';

const issuer = 'https://id.example';
const start = 1_800_000_000_000;
let now: number;
beforeEach(() => void (now = start));

function begin(known: Partial<KnownSession> = {}, refreshToken: string | undefined = 'r1') {
  const row: KnownSession = {
    sessionId: 's1',
    username: 'anna',
    issuer,
    subject: '1',
    canBeAsked: true,
    checkedAt: start - 60_000,
    fault: undefined,
    isClaimed: false,
    ...known,
  };
  const claimed: ClaimedSession = { ...row, refreshToken, claimedUntil: 1 };
  const providerSessions = {
    find: vi.fn(async (): Promise<KnownSession | undefined> => row),
    claim: vi.fn(async (): Promise<ClaimedSession | undefined> => claimed),
    renew: vi.fn(async () => 'viewer'),
    noteFault: vi.fn(async () => undefined),
    end: vi.fn(async () => true),
    block: vi.fn(async () => true),
  };
  const refresh = vi.fn(async () => ({ claims: { sub: '1' } }) as never);
  const decide = vi.fn((): Decided => ({ role: 'viewer', roleReason: 'r' }));
  const record = vi.fn(async () => undefined);
  const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const underWay = new Set<Promise<unknown>>();
  const mayRefresh = createSessionRefresh({
    provider: { refresh },
    issuer,
    decide,
    explain: () => ({ claims: ['sub (text)'], looked_for: [], unreadable: undefined }),
    providerSessions,
    sessions: { dueAt: () => start - 1_000 },
    lengths: { sessionLength: 24_000, refreshTime: 12_000 },
    audit: { record },
    logger,
    clock: { now: () => now },
    underWay,
  });
  const ask = async (sessionId = 's1') => {
    const may = await mayRefresh({ claims: { sessionId } } as Session);
    await Promise.all(underWay);
    expect(underWay.size).toBe(0);
    return may;
  };
  return { providerSessions, refresh, decide, record, logger, ask };
}

test('reads the row of a session at most once a second', async () => {
  const { providerSessions, ask } = begin({ isClaimed: true });
  for (let times = 0; times < 3; times += 1) expect(await ask()).toBe(false);
  expect(providerSessions.find).toHaveBeenCalledTimes(1);
  await ask('another');
  expect(providerSessions.find).toHaveBeenCalledTimes(2);
  now += 1_000;
  await ask();
  expect(providerSessions.find).toHaveBeenCalledTimes(3);
});

test.each<[what: string, known: Partial<KnownSession>]>([
  ['that another process asks about', { isClaimed: true }],
  ['of another provider', { issuer: 'https://other.example' }],
  ['without a refresh token', { canBeAsked: false }],
])('a session %s is not asked about', async (_, known) => {
  const { providerSessions, ask } = begin(known);
  expect(await ask()).toBe(false);
  expect(providerSessions.claim).not.toHaveBeenCalled();
});

test('a session that the provider has confirmed stays valid', async () => {
  const { providerSessions, refresh, ask } = begin({ checkedAt: start - 1_000 });
  expect([await ask(), await ask()]).toEqual([true, true]);
  expect(providerSessions.find).toHaveBeenCalledTimes(2);
  expect(refresh).not.toHaveBeenCalled();
});

test('reads a session again as soon as the provider has answered', async () => {
  const { providerSessions, refresh, ask } = begin();
  await ask();
  expect(refresh).toHaveBeenCalledWith('r1', '1', expect.any(Function));
  expect(providerSessions.renew).toHaveBeenCalledWith(
    expect.objectContaining({ sessionId: 's1' }),
    expect.anything(),
    { role: 'viewer', roleReason: 'r' },
    start + 36_000,
  );
  await ask();
  expect(providerSessions.find).toHaveBeenCalledTimes(2);
});

test('retries a token that cannot be opened after ten minutes', async () => {
  const { providerSessions, refresh, logger, ask } = begin({}, undefined);
  providerSessions.claim.mockImplementation(async () => ({
    ...((await providerSessions.find()) as KnownSession),
    refreshToken: undefined,
    claimedUntil: 1,
  }));
  await ask();
  expect(providerSessions.noteFault).toHaveBeenCalledWith(expect.anything(), 'unreadable');
  expect([logger.warn.mock.calls.length, refresh.mock.calls.length]).toEqual([1, 0]);
  const reads = providerSessions.find.mock.calls.length;
  now += 599_000;
  await ask();
  expect(providerSessions.find).toHaveBeenCalledTimes(reads);
  now += 1_000;
  await ask();
  expect(providerSessions.find.mock.calls.length).toBeGreaterThan(reads);
});

test('pauses for a minute when the provider is away, but not after an invalid answer', async () => {
  const { refresh, providerSessions, ask } = begin();
  refresh.mockRejectedValueOnce(new ProviderError('nonsense', 'what'));
  await ask('s1');
  refresh.mockRejectedValueOnce(new ProviderError('away', 'where'));
  await ask('s2');
  expect(providerSessions.noteFault.mock.calls).toEqual([
    [expect.anything(), 'nonsense', undefined],
    [expect.anything(), 'away', undefined],
  ]);
  // At the very same moment too.
  await ask('s0');
  now += 59_999;
  await ask('s3');
  expect(refresh).toHaveBeenCalledTimes(2);
  now += 1_000;
  await ask('s4');
  expect(refresh).toHaveBeenCalledTimes(3);
});

test('ignores a pause that a clock change has made too long', async () => {
  const { refresh, ask } = begin();
  refresh.mockRejectedValueOnce(new ProviderError('away', 'where'));
  await ask('s1');
  now -= 500;
  await ask('s2');
  expect(refresh).toHaveBeenCalledTimes(2);
});

test('logs errors of its own, without ending the session', async () => {
  const { refresh, providerSessions, record, logger, ask } = begin();
  refresh.mockRejectedValueOnce(new TypeError('ours'));
  await ask();
  expect(logger.error).toHaveBeenCalledTimes(1);
  expect(providerSessions.noteFault).not.toHaveBeenCalled();
  expect(providerSessions.end).not.toHaveBeenCalled();
  expect(record).not.toHaveBeenCalled();
});

test.each<[refused: string, ends: 'end' | 'block']>([
  ['oidc_name_invalid', 'end'],
  ['oidc_no_role', 'block'],
  ['oidc_email_refused', 'block'],
])('a user who is refused for %s: %s', async (refused, ends) => {
  const { decide, providerSessions, record, ask } = begin();
  decide.mockReturnValue({ refused });
  await ask();
  expect(providerSessions[ends]).toHaveBeenCalledTimes(1);
  expect(providerSessions[ends === 'end' ? 'block' : 'end']).not.toHaveBeenCalled();
  expect(providerSessions.renew).not.toHaveBeenCalled();
  expect(record).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      event: 'session_ended_by_provider',
      reason: refused,
      object: 'anna',
      detail: expect.objectContaining({ session: 's1', claims: ['sub (text)'] }),
    }),
  );
  record.mockClear();
  providerSessions[ends].mockResolvedValue(false);
  now += 2_000;
  await ask();
  expect(record).not.toHaveBeenCalled();
});

test('records a changed role only', async () => {
  const { decide, providerSessions, record, ask } = begin();
  await ask();
  expect(record).not.toHaveBeenCalled();
  decide.mockReturnValue({ role: 'admin', roleReason: 'group a' });
  await ask();
  expect(record).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ detail: { role: 'admin', former: 'viewer', why: 'group a' } }),
  );
  providerSessions.renew.mockResolvedValue(undefined as never);
  await ask();
  expect(record).toHaveBeenCalledTimes(1);
});

test('ends the session when the provider refuses, with one record', async () => {
  const { refresh, providerSessions, record, ask } = begin();
  refresh.mockRejectedValue(new ProviderError('refused', 'no', 'invalid_grant'));
  await ask();
  providerSessions.end.mockResolvedValue(false);
  now += 2_000;
  await ask();
  expect(record).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ reason: 'invalid_grant' }));
});
