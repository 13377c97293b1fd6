import { afterAll, describe } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import { openSharedStore, type SharedStore } from '../../../../src/store/postgres/open-store.ts';
import { patience } from '../../../support/patience.ts';
import { emptyDatabase } from '../../../support/postgres.ts';
import { useStoreOfPostgres } from '../temporary-store.ts';

/** What is tested with SQLite must hold with PostgreSQL too: the same test files run again. */
let opened: SharedStore | undefined;
useStoreOfPostgres(async () => {
  const { url } = await emptyDatabase();
  const ignore = () => undefined;
  opened = await openSharedStore(url, {
    clock: systemClock,
    onTrouble: ignore,
    onRecovery: ignore,
    decisionTimeoutMs: patience,
  });
  return opened;
});
afterAll(() => opened?.store.destroy());

/** The tests of a file, even if this process has run it already: modules are cached, so another name loads them again. */
function testsOf(file: string): () => Promise<void> {
  return async () => void (await import(`${file}?with=postgres`));
}

describe('users', testsOf('../../accounts/users/users.test.ts'));
describe('recoveries', testsOf('../../accounts/users/recovery.test.ts'));
describe('lists of users', testsOf('../../accounts/users/user-list.test.ts'));
describe('people of a provider', testsOf('../../accounts/users/federated-users.test.ts'));
describe('sessions of a provider', testsOf('../../features/oidc/session-refresh.test.ts'));
describe('the first admin', testsOf('../../accounts/users/bootstrap.test.ts'));
describe('API tokens', testsOf('../../features/api-tokens/api-tokens.test.ts'));
describe('uses of API tokens', testsOf('../../features/api-tokens/uses.test.ts'));
describe('displays', testsOf('../../features/displays/displays.test.ts'));
describe('pairing codes', testsOf('../../features/displays/pairing-codes.test.ts'));
describe('invitations', testsOf('../../features/invitations/invitations.test.ts'));
describe('stops', testsOf('../../accounts/stops.test.ts'));
describe('shares', testsOf('../../features/shares/shares.test.ts'));
describe('unlocks of shares', testsOf('../../features/shares/share-unlocks.test.ts'));
describe('sessions', testsOf('../../accounts/sessions/sessions.test.ts'));
describe('revocations', testsOf('../../accounts/sessions/revocations.test.ts'));
describe('active sessions', testsOf('../../accounts/sessions/active-sessions.test.ts'));
describe('seen sessions', testsOf('../../accounts/sessions/last-seen.test.ts'));
describe('row writer', testsOf('../row-writer.test.ts'));
describe('generations of sessions', testsOf('../account-columns.test.ts'));
describe('second factors', testsOf('../../accounts/second-factor/factors.test.ts'));
describe('last logins', testsOf('../../audit/last-logins.test.ts'));
describe('audit records', testsOf('../../audit/audit-query.test.ts'));
describe('who watched', testsOf('../../audit/viewing.test.ts'));
describe('the trust in the clock', testsOf('../clock-trust.test.ts'));
describe('the outbox', testsOf('../../features/alerts/outbox.test.ts'));
describe('requests for access', testsOf('../../features/access-requests/access-requests.test.ts'));
describe('addresses of users', testsOf('../../accounts/users/emails.test.ts'));
describe('subscriptions to pushes', testsOf('../../features/push/subscriptions.test.ts'));
