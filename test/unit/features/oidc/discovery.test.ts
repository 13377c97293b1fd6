import { beforeEach, expect, test, vi } from 'vitest';
import { createDiscovery, isWithin, pauseAfterFailure } from '../../../../src/features/oidc/discovery.ts';
import { ProviderError } from '../../../../src/accounts/provider.ts';

const hour = 3_600_000;
let now: number;
let log: string[];
const clock = { now: () => now };
const logger = {
  info: (_: unknown, text: string) => void log.push(`info: ${text}`),
  warn: (_: unknown, text: string) => void log.push(`warn: ${text}`),
} as never;
beforeEach(() => {
  now = 1_800_000_000_000;
  log = [];
});
const issuer = 'https://id.example';
const away = (text = 'away') => new ProviderError('away', text);

test('asks once for many callers, and caches the result for an hour', async () => {
  const ask = vi.fn(async () => 'found');
  const discover = createDiscovery({ ask, issuer, clock, logger });
  expect(ask).not.toHaveBeenCalled();
  expect(await Promise.all([discover(), discover()])).toEqual(['found', 'found']);
  now += hour - 1;
  await discover();
  expect(ask).toHaveBeenCalledTimes(1);
});

test('asks again after an hour, in the background', async () => {
  let answer: (found: string) => void = () => undefined;
  const ask = vi.fn<() => Promise<string>>(async () => 'first');
  const discover = createDiscovery({ ask, issuer, clock, logger });
  await discover();
  ask.mockImplementation(() => new Promise((resolve) => (answer = resolve)));
  now += hour;
  expect(await discover()).toBe('first');
  expect(await discover()).toBe('first');
  expect(ask).toHaveBeenCalledTimes(2);
  answer('second');
  await vi.waitFor(async () => expect(await discover()).toBe('second'));
  expect(ask).toHaveBeenCalledTimes(2);
});

test('keeps the result when the provider is away an hour later, and retries every ten seconds', async () => {
  const ask = vi.fn<() => Promise<string>>(async () => 'found');
  const discover = createDiscovery({ ask, issuer, clock, logger });
  await discover();
  ask.mockRejectedValue(away());
  now += hour;
  for (let times = 0; times < 3; times += 1) {
    expect(await discover()).toBe('found');
    await new Promise(setImmediate);
  }
  expect(ask).toHaveBeenCalledTimes(2);
  now += pauseAfterFailure;
  await discover();
  expect(ask).toHaveBeenCalledTimes(3);
});

test('rejects with the same error until it retries, and logs each error once', async () => {
  const ask = vi.fn<() => Promise<string>>().mockRejectedValue(away());
  const discover = createDiscovery({ ask, issuer, clock, logger });
  for (let times = 0; times < 3; times += 1) await expect(discover()).rejects.toMatchObject({ kind: 'away' });
  expect(ask).toHaveBeenCalledTimes(1);
  now += pauseAfterFailure;
  await expect(discover()).rejects.toThrow('away');
  expect(log).toEqual(['warn: the provider of sign-on is of no help']);
  now += pauseAfterFailure;
  ask.mockRejectedValue(away('otherwise'));
  await expect(discover()).rejects.toThrow('otherwise');
  now += pauseAfterFailure;
  ask.mockResolvedValue('found');
  expect(await discover()).toBe('found');
  await discover();
  expect(log).toEqual([
    'warn: the provider of sign-on is of no help',
    'warn: the provider of sign-on is of no help',
    'info: the provider of sign-on answers again',
  ]);
  expect(ask).toHaveBeenCalledTimes(4);
});

test('turns any error into a ProviderError', async () => {
  const ask = () => Promise.reject(new TypeError('cannot be read'));
  const discover = createDiscovery({ ask, issuer, clock, logger });
  await expect(discover()).rejects.toBeInstanceOf(ProviderError);
});

test.each([
  [9_999, true],
  [10_000, false],
  [-9_999, true],
  [-10_000, false],
])('%d ms later is within ten seconds: %s', (later, expected) => {
  expect(isWithin(10_000, now - later, clock)).toBe(expected);
});
