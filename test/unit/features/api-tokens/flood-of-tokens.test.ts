import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import { createApiTokens } from '../../../../src/features/api-tokens/api-tokens.ts';
import { systemClock } from '../../../../src/clock.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import { createLimiter } from '../../../../src/store/slow-store.ts';
import { emptyDatabase } from '../../../support/postgres.ts';
import { sharedStore } from '../../store/postgres/shared-store.ts';

test('a flood of unknown tokens delays only other unknown tokens', async () => {
  const { store, version } = await sharedStore((await emptyDatabase()).url);
  const users = createUsers(store, systemClock);
  const apiTokens = createApiTokens(store, {
    clock: systemClock,
    storeVersion: version,
    inTurn: createLimiter(2),
  });
  await users.add({ username: 'olaf', role: 'viewer', passwordHash: 'h' }, unconditional);
  const wanted = { name: 'n', owner: 'olaf', role: 'viewer', cameras: undefined, expiresAt: undefined };
  const { token, apiToken } = await apiTokens.add(wanted, unconditional);
  await apiTokens.check(token);
  const invented = Array.from({ length: 1_500 }, () => `postern_${randomBytes(32).toString('base64url')}`);
  const flood = Promise.allSettled(invented.map((one) => apiTokens.check(one)));
  await expect(apiTokens.check(token)).resolves.toEqual({ apiToken });
  await expect(users.find('olaf')).resolves.toMatchObject({ role: 'viewer' });
  const strangers = (await flood).filter(({ status }) => status === 'rejected');
  expect(strangers.length).toBeGreaterThanOrEqual(498);
});
