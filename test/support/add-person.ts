import type { Insertable } from 'kysely';
import { unconditional } from '../../src/store/permit.ts';
import type { Tables } from '../../src/store/schema.ts';
import { newGeneration } from '../../src/store/account-columns.ts';
import type { Store } from '../../src/store/store.ts';

export const issuer = 'https://id.example.org';

/** Adds a federated user, as a login at the provider does. */
export async function addPerson(
  store: Store,
  username: string,
  {
    role = 'viewer',
    ...values
  }: Partial<Omit<Insertable<Tables['users']>, 'role'> & { readonly role: string }> = {},
): Promise<void> {
  await store.change(unconditional, (on, { grant }) =>
    on
      .insertInto('users')
      .values({
        username,
        user_id: `id of ${username}`,
        role: grant(role),
        password_hash: '',
        created_at: 1_000,
        issuer,
        subject: `subject of ${username}`,
        role_reason: 'group family',
        last_login_at: 2_000,
        ...newGeneration(on, 1_000_000),
        ...values,
      })
      .execute(),
  );
}
