import { beforeEach, expect, test } from 'vitest';
import { createEmails, type Emails } from '../../../../src/accounts/users/emails.ts';
import { createFederatedUsers } from '../../../../src/accounts/users/federated-users.ts';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import { AppError } from '../../../../src/errors.ts';
import { permissionBy, unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { temporaryStore } from '../../store/temporary-store.ts';

let store: Store;
let emails: Emails;
const clock = { now: () => 1_000_000 };
beforeEach(async () => {
  store = await temporaryStore();
  emails = createEmails(store);
  await createUsers(store, clock).add({ username: 'vera', role: 'viewer', passwordHash: 'x' }, unconditional);
});

test('an address can be set and removed', async () => {
  expect(await emails.of('vera')).toEqual({ email: undefined, isOfProvider: false });
  await emails.set('vera', 'vera@example.org', unconditional);
  expect(await emails.of('vera')).toEqual({ email: 'vera@example.org', isOfProvider: false });
  await emails.set('vera', undefined, unconditional);
  expect((await emails.of('vera'))?.email).toBeUndefined();
  expect(await emails.of('olaf')).toBeUndefined();
});

test('a thief without a fresh proof changes none', async () => {
  const unproved = async () =>
    permissionBy(() => {
      throw new AppError('step_up_needed');
    });
  await expect(emails.set('vera', 'thief@example.org', unproved)).rejects.toMatchObject({
    code: 'step_up_needed',
  });
  expect((await emails.of('vera'))?.email).toBeUndefined();
});

test('that of a federated user comes with each login, and is changed nowhere else', async () => {
  const arrive = (email: string | undefined, state: string) =>
    createFederatedUsers(store, clock).arrive(
      {
        issuer: 'https://id.example',
        subject: 's',
        name: 'nell',
        role: 'viewer',
        roleReason: 'default_role',
        email,
        state,
        stateExpiresAt: 2_000_000,
      },
      async () => undefined,
      unconditional,
    );
  await arrive('nell@example.org', 'one');
  expect(await emails.of('nell')).toEqual({ email: 'nell@example.org', isOfProvider: true });
  await expect(emails.set('nell', 'x@example.org', unconditional)).rejects.toMatchObject({
    code: 'user_of_provider',
  });
  await arrive(undefined, 'two');
  expect((await emails.of('nell'))?.email).toBeUndefined();
});
