import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createWindowsInMemory } from '../../../../src/accounts/limits/counted-windows.ts';
import { createFailureLimit } from '../../../../src/accounts/limits/failure-limit.ts';
import type { SharedMedia } from '../../../../src/policy/share-scope.ts';
import { createUnlock, type UnlockShare } from '../../../../src/features/shares/open.ts';
import { createShares, type Share, type Shares } from '../../../../src/features/shares/shares.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import { temporaryStore } from '../../store/temporary-store.ts';

const media: SharedMedia = { kind: 'event', id: 'e', hasClip: true };
const address = '203.0.113.9';
let now: number;
let shares: Shares;
let show: ReturnType<typeof vi.fn<(share: Share) => Promise<SharedMedia | undefined>>>;
let verify: ReturnType<
  typeof vi.fn<(password: string, hash: string | undefined) => Promise<{ matches: boolean }>>
>;
let open: UnlockShare;
const unlockFor = (byAddress = '3/hour', byShare = '2/hour') => {
  const windows = createWindowsInMemory();
  return createUnlock({
    shares,
    hasher: { verify: verify as never },
    byAddress: createFailureLimit(byAddress, windows, undefined, 'share'),
    byShare: createFailureLimit(byShare, windows, undefined, 'share password'),
    show,
  });
};
beforeEach(async () => {
  now = 1_000_000;
  shares = createShares(await temporaryStore(), { now: () => now });
  show = vi.fn(async () => media);
  verify = vi.fn(async (password: string, hash: string | undefined) => ({
    matches: hash === `hash of ${password}`,
  }));
  open = unlockFor();
});

const add = async (passwordHash?: string) => {
  const wanted = { kind: 'event', object: 'e', camera: 'front', from: 1_000, until: 2_000 } as const;
  const creator = { user: 'olaf', role: 'viewer', source: 'proxy', tokenId: undefined } as const;
  const more = { passwordHash, label: undefined, creator, expiresAt: now + 60_000 };
  const { share, secret } = await shares.add({ ...wanted, ...more }, 100, unconditional);
  return { share, id: share.id, secret, address };
};
const outcome = (presented: Parameters<UnlockShare>[0], by = open) =>
  by(presented).then(
    ({ share }) => `open: ${share.id}`,
    ({ code, message }: { readonly code?: string; readonly message: string }) => code ?? message,
  );

describe('a share without a password', () => {
  test('is open to anyone who has its secret, any number of times', async () => {
    const presented = await add();
    for (let times = 0; times < 5; times += 1)
      expect(await open(presented)).toEqual({ share: presented.share, media });
    expect(verify).not.toHaveBeenCalled();
  });

  test.each<[what: string, change: (of: { id: string; secret: string }) => object]>([
    ['another secret', () => ({ secret: 'x'.repeat(43) })],
    ['no secret', () => ({ secret: '' })],
    ['another id', () => ({ id: 'x'.repeat(20) })],
    ['what is no id', () => ({ id: '../x' })],
    ['no id', () => ({ id: '' })],
  ])('is over for %s, which is a guess', async (_, change) => {
    const presented = await add();
    for (let guesses = 0; guesses < 3; guesses += 1)
      expect(await outcome({ ...presented, ...change(presented) })).toBe('share_over');
    expect(show).not.toHaveBeenCalled();
    expect(await outcome({ ...presented, ...change(presented) })).toBe('too_many_requests');
    expect(await outcome(presented)).toBe('too_many_requests');
    expect(await outcome({ ...presented, address: '198.51.100.1' })).toBe(`open: ${presented.id}`);
  });

  test('is over when its time is over, when it was ended, and when nothing is left to show', async () => {
    const [one, ended, other] = [await add(), await add(), await add()];
    await shares.end(ended.id, unconditional);
    expect(await outcome(ended)).toBe('share_over');
    show.mockResolvedValueOnce(undefined);
    expect(await outcome(other)).toBe('share_over');
    now += 60_000;
    expect(await outcome(one)).toBe('share_over');
  });

  test('counts no attempt when the gate itself fails', async () => {
    const presented = await add();
    show.mockRejectedValue(new Error('the recorder has locked its database'));
    for (let times = 0; times < 5; times += 1) expect(await outcome(presented)).toMatch(/has locked/);
    show.mockResolvedValue(media);
    expect(await outcome(presented)).toBe(`open: ${presented.id}`);
  });
});

describe('a share with a password', () => {
  test('asks for it without counting an attempt, and opens with it', async () => {
    const presented = await add('hash of right');
    for (let times = 0; times < 5; times += 1) expect(await outcome(presented)).toBe('share_password_needed');
    expect(verify).not.toHaveBeenCalled();
    for (let times = 0; times < 5; times += 1)
      expect(await outcome({ ...presented, password: 'right' })).toBe(`open: ${presented.id}`);
  });

  test('hides that it has one without the secret', async () => {
    const presented = await add('hash of right');
    const guess = { ...presented, secret: 'x'.repeat(43) };
    expect(await outcome(guess)).toBe('share_over');
    expect(await outcome({ ...guess, password: 'right' })).toBe('share_over');
    expect(verify).not.toHaveBeenCalled();
  });

  test('counts wrong ones for the share, from any address', async () => {
    const [presented, other] = [await add('hash of right'), await add('hash of right')];
    for (const from of ['198.51.100.1', '198.51.100.2'])
      expect(await outcome({ ...presented, password: 'wrong', address: from })).toBe('share_password_wrong');
    expect(await outcome({ ...presented, password: 'right' })).toBe('too_many_requests');
    expect(verify).toHaveBeenCalledTimes(2);
    // A rejected attempt is no guess: the address may try again.
    for (let times = 0; times < 5; times += 1)
      expect(await outcome({ ...presented, password: 'right' })).toBe('too_many_requests');
    expect(await outcome({ ...other, password: 'right' })).toBe(`open: ${other.id}`);
  });

  test('counts those that come at once', async () => {
    const presented = await add('hash of right');
    const guesses = Array.from({ length: 8 }, () => outcome({ ...presented, password: 'wrong' }));
    const wrong = (await Promise.all(guesses)).filter((code) => code === 'share_password_wrong');
    expect(wrong).toHaveLength(2);
  });

  test('counts wrong ones for the address, across shares', async () => {
    for (let times = 0; times < 3; times += 1)
      expect(await outcome({ ...(await add('hash of right')), password: 'wrong' })).toBe(
        'share_password_wrong',
      );
    expect(await outcome({ ...(await add('hash of right')), password: 'right' })).toBe('too_many_requests');
  });

  test('is read again after comparing the password: it may be over by then', async () => {
    const presented = await add('hash of right');
    verify.mockImplementationOnce(async () => {
      await shares.end(presented.id, unconditional);
      return { matches: true };
    });
    expect(await outcome({ ...presented, password: 'right' })).toBe('share_over');
    const another = await add('hash of right');
    show.mockResolvedValueOnce(media).mockResolvedValueOnce(undefined);
    expect(await outcome({ ...another, password: 'right' })).toBe('share_over');
  });

  test('counts no attempt when the password could not be compared', async () => {
    const presented = await add('hash of right');
    verify.mockRejectedValue(new Error('no room'));
    for (let times = 0; times < 5; times += 1)
      expect(await outcome({ ...presented, password: 'right' })).toBe('no room');
    verify.mockResolvedValue({ matches: true });
    expect(await outcome({ ...presented, password: 'right' })).toBe(`open: ${presented.id}`);
  });
});
