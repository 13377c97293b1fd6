import { afterAll, describe } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import { openSharedStore, type SharedStore } from '../../../../src/store/postgres/open-store.ts';
import { emptyDatabase } from '../../../support/postgres.ts';
import { useStoreOfPostgres } from '../temporary-store.ts';

/** What is tested with SQLite's files holds with PostgreSQL too: the same tests, by their own files. */
let opened: SharedStore | undefined;
useStoreOfPostgres(async () => {
  const { url } = await emptyDatabase();
  const ignore = () => undefined;
  opened = await openSharedStore(url, { clock: systemClock, onTrouble: ignore, onRecovery: ignore });
  return opened;
});
afterAll(() => opened?.store.destroy());

describe('users', async () => void (await import('../../accounts/users.test.ts')));
describe('the first admin', async () => void (await import('../../accounts/bootstrap.test.ts')));
describe('API tokens', async () => void (await import('../../api-tokens/api-tokens.test.ts')));
describe('uses of API tokens', async () => void (await import('../../api-tokens/api-token-uses.test.ts')));
describe('sessions', async () => void (await import('../../sessions/sessions.test.ts')));
describe('revocations', async () => void (await import('../../sessions/revocations.test.ts')));
describe('active sessions', async () => void (await import('../../sessions/active-sessions.test.ts')));
describe('sessions that were seen', async () => void (await import('../../sessions/last-seen.test.ts')));
describe('generations of sessions', async () => void (await import('../session-generation.test.ts')));
describe('audit records', async () => void (await import('../../audit/audit-query.test.ts')));
