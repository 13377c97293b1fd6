import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { Language } from '../../language/language.ts';
import { unconditional, type Permit } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';

/** A browser that gets pushes. */
export interface PushSubscription {
  /** Not secret. */
  readonly id: string;
  readonly username: string;
  readonly sessionId: string;
  /** The user's session generation when it was switched on. */
  readonly generation: string;
  /** Address for pushes: anyone who has it can send there. */
  readonly endpoint: string;
  /** Key of the browser, base64url. */
  readonly publicKey: string;
  readonly auth: string;
  readonly language: Language;
}

export interface PushSubscriptions {
  /** Replaces one of the same endpoint. @throws AppError `too_many_subscriptions` */
  add(subscription: Omit<PushSubscription, 'id'>, permit: Permit): Promise<string>;
  /** @returns whether the user had it */
  remove(username: string, id: string, permit: Permit): Promise<boolean>;
  /** Removes one that no one can use anymore. */
  drop(id: string): Promise<void>;
  list(): Promise<Array<Pick<PushSubscription, 'id' | 'username' | 'sessionId'>>>;
  of(username: string): Promise<PushSubscription[]>;
  find(id: string): Promise<PushSubscription | undefined>;
  /** Removes those whose session has ended. */
  prune(isActive: (sessionId: string) => Promise<boolean>): Promise<void>;
}

const mostPerUser = 20;

function subscriptionId(endpoint: string): string {
  return hash('sha256', endpoint, 'hex');
}

export function createPushSubscriptions(store: Store, clock: Clock): PushSubscriptions {
  const drop = async (id: string) => {
    await store.change(unconditional, (on) =>
      on.deleteFrom('push_subscriptions').where('subscription_id', '=', id).execute(),
    );
  };
  return {
    add: async ({ username, sessionId, generation, endpoint, publicKey, auth, language }, permit) => {
      const id = subscriptionId(endpoint);
      const row = {
        subscription_id: id,
        username,
        session_id: sessionId,
        session_generation: generation,
        endpoint,
        public_key: publicKey,
        auth,
        language,
        created_at: wholeSeconds(clock.now()),
      };
      await store.change(permit, async (on) => {
        // One push subscription per browser; the last user to enable it owns it.
        await on.deleteFrom('push_subscriptions').where('subscription_id', '=', id).execute();
        const own = await on
          .selectFrom('push_subscriptions')
          .select('subscription_id')
          .where('username', '=', username)
          .execute();
        if (own.length >= mostPerUser) throw new AppError('too_many_subscriptions');
        await on.insertInto('push_subscriptions').values(row).execute();
      });
      return id;
    },
    remove: async (username, id, permit) => {
      const { numDeletedRows } = await store.change(permit, (on) =>
        on
          .deleteFrom('push_subscriptions')
          .where('subscription_id', '=', id)
          .where('username', '=', username)
          .executeTakeFirst(),
      );
      return numDeletedRows > 0n;
    },
    drop,
    list: () =>
      store
        .selectFrom('push_subscriptions')
        .select(['subscription_id as id', 'username', 'session_id as sessionId'])
        .orderBy('subscription_id')
        .execute(),
    of: async (username) => {
      const rows = await store
        .selectFrom('push_subscriptions')
        .selectAll()
        .where('username', '=', username)
        .execute();
      return rows.map(subscriptionOf);
    },
    find: async (id) => {
      const row = await store
        .selectFrom('push_subscriptions')
        .selectAll()
        .where('subscription_id', '=', id)
        .executeTakeFirst();
      return row && subscriptionOf(row);
    },
    prune: async (isActive) => {
      const rows = await store
        .selectFrom('push_subscriptions')
        .select(['subscription_id', 'session_id'])
        .execute();
      for (const { subscription_id: id, session_id: session } of rows)
        if (!(await isActive(session))) await drop(id);
    },
  };
}

function subscriptionOf(row: Selectable<Tables['push_subscriptions']>): PushSubscription {
  return {
    id: row.subscription_id,
    username: row.username,
    sessionId: row.session_id,
    generation: row.session_generation,
    endpoint: row.endpoint,
    publicKey: row.public_key,
    auth: row.auth,
    language: row.language === 'de' ? 'de' : 'en',
  };
}
