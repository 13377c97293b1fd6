import { expect, test, vi } from 'vitest';
import { createSealing } from '../../../../src/accounts/sealing.ts';
import { createProviderLogout } from '../../../../src/features/oidc/provider-logout.ts';

let now = 1_800_000_000_000;
const sealing = createSealing('a secret', { now: () => now });

function start(idToken?: string) {
  const endSessionUrl = vi.fn(
    async (hint?: string): Promise<string | undefined> =>
      `https://id.example/end${hint === undefined ? '' : `?hint=${hint}`}`,
  );
  const idTokenOf = vi.fn(async () => idToken);
  return {
    endSessionUrl,
    idTokenOf,
    logout: createProviderLogout({ provider: { endSessionUrl }, providerSessions: { idTokenOf }, sealing }),
  };
}

test('sends the browser to the provider with the ID token, and back to `next`', async () => {
  const { logout, idTokenOf } = start('i1');
  const url = new URL((await (await logout.prepare('s1')).urlTo('/next')) ?? '');
  expect(idTokenOf).toHaveBeenCalledWith('s1');
  expect(url.origin + url.pathname + url.searchParams.get('hint')).toBe('https://id.example/endi1');
  const state = url.searchParams.get('state') ?? '';
  expect(await logout.nextOf(state)).toBe('/next');
  now += 601_000;
  expect(await logout.nextOf(state)).toBeUndefined();
});

test('returns no `next` for an unknown or missing state', async () => {
  const { logout } = start();
  const url = new URL((await (await logout.prepare('s1')).urlTo(undefined)) ?? '');
  expect(await logout.nextOf(url.searchParams.get('state') ?? '')).toBeUndefined();
  expect(await logout.nextOf(undefined)).toBeUndefined();
  expect(await logout.nextOf('x')).toBeUndefined();
  expect(await logout.nextOf(await sealing.issue('another', { next: '/x' }, 60))).toBeUndefined();
  expect(await logout.nextOf(await sealing.issue('logout', { next: 7 }, 60))).toBeUndefined();
});

test('the provider asks the user if there is no session or no usable ID token', async () => {
  for (const [idToken, sessionId] of [
    ['i1', undefined],
    [undefined, 's1'],
    ['x'.repeat(2_049), 's1'],
  ] as const) {
    const { logout, endSessionUrl } = start(idToken);
    await (await logout.prepare(sessionId)).urlTo('/');
    expect(endSessionUrl).toHaveBeenCalledWith(undefined);
  }
  const { logout, endSessionUrl } = start('x'.repeat(2_048));
  await (await logout.prepare('s1')).urlTo('/');
  expect(endSessionUrl).toHaveBeenCalledWith('x'.repeat(2_048));
});

test('a logout works without the store, and if the provider offers none', async () => {
  const { logout, idTokenOf, endSessionUrl } = start('i1');
  idTokenOf.mockRejectedValue(new Error('no disk'));
  expect(await (await logout.prepare('s1')).urlTo('/')).toMatch(/^https:\/\/id\.example\/end\?state=/);
  endSessionUrl.mockResolvedValue(undefined);
  expect(await (await logout.prepare('s1')).urlTo('/')).toBeUndefined();
});
