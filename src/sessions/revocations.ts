import { writing, type Store } from '../store/store.ts';

/** Sessions that were ended one by one, by logout. They survive a restart. */
export interface Revocations {
  /** @param expiresAt seconds since the epoch; when the session's last token ends by itself */
  revoke(sessionId: string, expiresAt: number): Promise<void>;
  isRevoked(sessionId: string): Promise<boolean>;
  /** Forgets what has expired by itself. */
  prune(): Promise<void>;
}

/** @param now seconds since the epoch */
export function createRevocations(store: Store, now: () => number): Revocations {
  // Built once: to build it takes 4 microseconds, twice as long as to run it.
  const find = store
    .selectFrom('revoked_sessions')
    .select('session_id')
    .where('session_id', '=', 'session id')
    .compile();
  return {
    revoke: async (sessionId, expiresAt) => {
      await writing(() =>
        store
          .insertInto('revoked_sessions')
          .values({ session_id: sessionId, expires_at: Math.ceil(expiresAt) })
          .onConflict((conflict) => conflict.column('session_id').doNothing())
          .execute(),
      );
    },
    isRevoked: async (sessionId) => {
      const { rows } = await store.executeQuery({ ...find, parameters: [sessionId] });
      return rows.length > 0;
    },
    prune: async () => {
      await writing(() => store.deleteFrom('revoked_sessions').where('expires_at', '<', now()).execute());
    },
  };
}
