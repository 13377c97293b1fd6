import { expect, test } from 'vitest';
import { createAuditTable } from '../../../src/audit/audit-table.ts';
import { createLastLogins } from '../../../src/audit/last-logins.ts';
import { temporaryActivity } from '../store/temporary-store.ts';

test('finds the last login of each given name, behind later records', async () => {
  const activity = await temporaryActivity();
  const table = createAuditTable(activity);
  const limits = { session: 10_000, refusal: 10_000 };
  const login = (user: string, at: number) => ({ entry: { event: 'login', user }, at }) as const;
  const refused = (user: string, at: number) => ({ entry: { event: 'refused', user }, at }) as const;
  await table.add(
    [
      login('olaf', 1_000_000),
      // A clock that went back: the last is the latest.
      login('olaf', 900_000),
      ...Array.from({ length: 300 }, (_, i) => refused('olaf', 2_000_000 + i)),
      login('vera', 1_500_500),
      refused('anna', 3_000_000),
      { entry: { event: 'login_failed', user: 'anna' }, at: 3_000_000 },
      { entry: { event: 'user_added', user: 'vera', object: 'anna' }, at: 3_000_000 },
    ],
    limits,
  );
  const lastLogins = createLastLogins(activity);
  const others = Array.from({ length: 25 }, (_, i) => `other${i}`);
  expect([...(await lastLogins(['anna', ...others, 'olaf', "' OR 1=1 --", 'VERA', 'vera']))]).toEqual([
    ['olaf', 1_000_000],
    ['vera', 1_500_500],
  ]);
  expect((await lastLogins([])).size).toBe(0);
});
