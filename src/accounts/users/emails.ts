import { AppError } from '../../errors.ts';
import type { Permit } from '../../store/permit.ts';
import type { Store } from '../../store/store.ts';
import { requireUser } from './requirements.ts';

/** Mail addresses for the alerts of accounts. */
export interface Emails {
  /** @returns undefined when the user has none, or does not exist */
  of(username: string): Promise<OwnEmail | undefined>;
  /** @param email `undefined` removes it. @throws AppError `user_unknown`, `user_of_provider` */
  set(username: string, email: string | undefined, permit: Permit): Promise<void>;
}

interface OwnEmail {
  readonly email: string | undefined;
  /** The provider gives it with each login. */
  readonly isOfProvider: boolean;
}

export function createEmails(store: Store): Emails {
  return {
    of: async (username) => {
      const row = await store
        .selectFrom('users')
        .select(['email', 'issuer'])
        .where('username', '=', username)
        .executeTakeFirst();
      return row && { email: row.email ?? undefined, isOfProvider: row.issuer !== null };
    },
    set: (username, email, permit) =>
      store.change(permit, async (on, { requireProof, alert }) => {
        // A thief would turn the alerts off first.
        requireProof();
        const { issuer, email: former } = await requireUser(on, username);
        if (issuer !== null) throw new AppError('user_of_provider');
        await on
          .updateTable('users')
          .set({ email: email ?? null })
          .where('username', '=', username)
          .execute();
        if (former !== (email ?? null))
          alert('email_changed', { user: username, ...(former !== null && { object: former }) });
      }),
  };
}
