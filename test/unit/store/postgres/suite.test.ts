import { afterAll, describe } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import { openSharedStore, type SharedStore } from '../../../../src/store/postgres/open-store.ts';
import { emptyDatabase } from '../../../support/postgres.ts';
import { useStoreOfPostgres } from '../temporary-store.ts';

/** What is tested with SQLite must hold with PostgreSQL too: the same test files run again. */
let opened: SharedStore | undefined;
useStoreOfPostgres(async () => {
  const { url } = await emptyDatabase();
  const ignore = () => undefined;
  opened = await openSharedStore(url, { clock: systemClock, onTrouble: ignore, onRecovery: ignore });
  return opened;
});
afterAll(() => opened?.store.destroy());

/** The tests of a file, even if this process has run it already: modules are cached, so another name loads them again. */
function testsOf(file: string): () => Promise<void> {
  return async () => void (await import(`${file}?with=postgres`));
}

describe('users', testsOf('../../identity/users/users.test.ts'));
describe('recoveries', testsOf('../../identity/users/recovery.test.ts'));
describe('lists of users', testsOf('../../identity/users/user-list.test.ts'));
describe('people of a provider', testsOf('../../identity/users/federated-users.test.ts'));
describe('sessions of a provider', testsOf('../../identity/oidc/session-refresh.test.ts'));
describe('the first admin', testsOf('../../identity/users/bootstrap.test.ts'));
describe('API tokens', testsOf('../../identity/api-tokens/api-tokens.test.ts'));
describe('uses of API tokens', testsOf('../../identity/api-tokens/api-token-uses.test.ts'));
describe('displays', testsOf('../../identity/displays/displays.test.ts'));
describe('pairing codes', testsOf('../../identity/displays/pairing-codes.test.ts'));
describe('invitations', testsOf('../../identity/invitations/invitations.test.ts'));
describe('stops', testsOf('../../identity/stops/stops.test.ts'));
describe('shares', testsOf('../../identity/shares/shares.test.ts'));
describe('unlocks of shares', testsOf('../../identity/shares/share-unlocks.test.ts'));
describe('sessions', testsOf('../../identity/sessions/sessions.test.ts'));
describe('revocations', testsOf('../../identity/sessions/revocations.test.ts'));
describe('active sessions', testsOf('../../identity/sessions/active-sessions.test.ts'));
describe('seen sessions', testsOf('../../identity/sessions/last-seen.test.ts'));
describe('row writer', testsOf('../row-writer.test.ts'));
describe('generations of sessions', testsOf('../account-columns.test.ts'));
describe('second factors', testsOf('../../identity/second-factor/factors.test.ts'));
describe('last logins', testsOf('../../audit/last-logins.test.ts'));
describe('audit records', testsOf('../../audit/audit-query.test.ts'));
describe('who watched', testsOf('../../audit/viewing.test.ts'));
describe('the trust in the clock', testsOf('../clock-trust.test.ts'));
describe('the outbox', testsOf('../../notifications/outbox.test.ts'));
describe('requests for access', testsOf('../../identity/users/access-requests.test.ts'));
describe('addresses of users', testsOf('../../identity/users/emails.test.ts'));
describe('subscriptions to pushes', testsOf('../../identity/users/push-subscriptions.test.ts'));
