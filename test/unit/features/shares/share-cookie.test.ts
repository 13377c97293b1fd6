import { expect, test } from 'vitest';
import { createSealing } from '../../../../src/accounts/sealing.ts';
import { createShareCookie } from '../../../../src/features/shares/share-cookie.ts';

let now = 1_793_100_000_000;
const clock = { now: () => now };
const sealing = createSealing('a secret', clock);
const cookie = createShareCookie(sealing, clock);
const share = { id: 'a-share-of-somebody', secretHash: 'ab'.repeat(32), expiresAt: now + 3_600_000 };
const valueOf = (set: string) => set.split(';')[0] ?? '';

test('is valid for the share and its secret, below its path, until it ends', async () => {
  const set = await cookie.issue(share, '/cameras', true);
  expect(set.replace(valueOf(set), '')).toBe(
    '; Max-Age=3600; Path=/cameras/postern/share/a-share-of-somebody/; HttpOnly; SameSite=Strict; Secure',
  );
  expect(await cookie.read([`x=1; ${valueOf(set)}`])).toEqual({ id: share.id, secretHash: share.secretHash });
  now += 3_600_000;
  expect(await cookie.read([valueOf(set)])).toBeUndefined();
  now -= 3_600_000;
});

test('is valid for half a day at most', async () => {
  const set = await cookie.issue({ ...share, expiresAt: now + 86_400_000 }, '', false);
  expect(set).toContain('; Max-Age=43200; Path=/postern/share/');
  expect(set).not.toContain('Secure');
});

test('is valid for at least a second, and for the rest of the share, rounded up', async () => {
  expect(await cookie.issue({ ...share, expiresAt: now }, '', true)).toContain('; Max-Age=1;');
  expect(await cookie.issue({ ...share, expiresAt: now + 900 }, '', true)).toContain('; Max-Age=1;');
  expect(await cookie.issue({ ...share, expiresAt: now + 1_100 }, '', true)).toContain('; Max-Age=2;');
});

test('rejects a cookie sealed for another purpose, with another secret, or sent in two forms', async () => {
  const claims = { share: share.id, secret: share.secretHash };
  const wrong = [
    `postern_share=${await sealing.issue('login at x', claims, 60)}`,
    `postern_share=${await sealing.issue('opened share', { share: share.id }, 60)}`,
    valueOf(await createShareCookie(createSealing('another', clock), clock).issue(share, '', true)),
    'postern_share=',
    'postern_share=x.y.z',
  ];
  for (const one of wrong) expect(await cookie.read([one])).toBeUndefined();
  const [one, other] = [await cookie.issue(share, '', true), await cookie.issue(share, '', true)];
  expect(await cookie.read([`${valueOf(one)}; ${valueOf(other)}`])).toBeUndefined();
  expect(await cookie.read([])).toBeUndefined();
});
