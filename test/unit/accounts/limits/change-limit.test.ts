import { expect, test } from 'vitest';
import { createChangeLimit, type ChangeLimit } from '../../../../src/accounts/limits/change-limit.ts';
import { createWindowsInMemory } from '../../../../src/accounts/limits/counted-windows.ts';

type Change = Parameters<ChangeLimit['take']>[0];

const limits: Readonly<Record<Change, readonly [most: number, seconds: number]>> = {
  api_token: [60, 3_600],
  own_password: [60, 3_600],
  own_factors: [60, 3_600],
  passkey_shown: [120, 3_600],
  provider_login: [120, 3_600],
  display: [60, 3_600],
  test_alert: [20, 3_600],
  access_request: [60, 3_600],
  push: [60, 3_600],
  share: [60, 3_600],
  own_sessions: [20, 60],
};

test.each(Object.entries(limits) as Array<[Change, readonly [number, number]]>)(
  '%s: %j, for each user and apart from all others',
  async (change, [most, seconds]) => {
    let elapsed = 0;
    const limit = createChangeLimit(createWindowsInMemory(() => elapsed));
    for (let i = 0; i < most; i += 1) await limit.take(change, 'olaf');
    elapsed += 1_000;
    await expect(limit.take(change, 'olaf')).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: seconds - 1,
    });
    await limit.take(change, 'vera');
    for (const other of Object.keys(limits) as Change[])
      if (other !== change) await limit.take(other, 'olaf');
    elapsed = seconds * 1_000;
    await limit.take(change, 'olaf');
  },
);
