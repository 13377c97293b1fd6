import { wholeSeconds, type Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { Permit } from '../../store/permit.ts';
import { unconditional } from '../../store/permit.ts';
import type { Store } from '../../store/store.ts';

/** A user asks for a camera that their role does not cover. */
interface AccessRequest {
  readonly username: string;
  /** The user's current role. */
  readonly role: string;
  readonly camera: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
}

/** Times are milliseconds since the epoch. */
interface OwnAccessRequest {
  readonly camera: string;
  readonly askedAt: number;
  /** From then on the user may ask again. */
  readonly againAt: number;
}

export interface AccessRequests {
  /**
   * An unknown camera is noted too: the answer to a second request must be the same.
   * @param isKnown alerts admins if it is. @throws AppError `access_asked` within a day of the same request, `too_many_access_requests`
   */
  ask(username: string, camera: string, isKnown: boolean, permit: Permit): Promise<void>;
  /** Those without an answer, the newest first. */
  list(): Promise<AccessRequest[]>;
  /** A user's own ones that have no answer, or that cannot be made again yet; the newest first. */
  of(username: string): Promise<OwnAccessRequest[]>;
  /** @returns whether there was such a request */
  answer(username: string, camera: string, permit: Permit): Promise<boolean>;
  prune(): Promise<void>;
}

const mostOpen = 20;
// Seconds.
const day = 86_400;
const keptFor = 30 * day;

export function createAccessRequests(store: Store, clock: Clock): AccessRequests {
  const now = () => wholeSeconds(clock.now());
  return {
    ask: (username, camera, isKnown, permit) =>
      store.change(permit, async (on, { alert }) => {
        const own = await on
          .selectFrom('access_requests')
          .select(['camera', 'asked_at', 'answered'])
          .where('username', '=', username)
          .execute();
        const before = own.find((row) => row.camera === camera);
        if (before !== undefined && before.asked_at > now() - day) throw new AppError('access_asked');
        const open = own.filter((row) => row.answered === 0 && row.camera !== camera);
        if (open.length >= mostOpen) throw new AppError('too_many_access_requests');
        const values = { asked_at: now(), answered: 0 };
        await on
          .insertInto('access_requests')
          .values({ username, camera, ...values })
          .onConflict((conflict) => conflict.columns(['username', 'camera']).doUpdateSet(values))
          .execute();
        if (isKnown) alert('access_asked', { user: username, object: camera });
      }),

    list: async () => {
      const rows = await store
        .selectFrom('access_requests')
        .innerJoin('users', 'users.username', 'access_requests.username')
        .select(['access_requests.username', 'camera', 'asked_at', 'role'])
        .where('answered', '=', 0)
        .orderBy('asked_at', 'desc')
        .execute();
      return rows.map(({ username, role, camera, asked_at: askedAt }) => ({
        username,
        role,
        camera,
        askedAt: askedAt * 1_000,
      }));
    },

    of: async (username) => {
      const rows = await store
        .selectFrom('access_requests')
        .select(['camera', 'asked_at'])
        .where('username', '=', username)
        .where(({ eb, or }) => or([eb('answered', '=', 0), eb('asked_at', '>', now() - day)]))
        .orderBy('asked_at', 'desc')
        .execute();
      return rows.map(({ camera, asked_at: askedAt }) => ({
        camera,
        askedAt: askedAt * 1_000,
        againAt: (askedAt + day) * 1_000,
      }));
    },

    answer: async (username, camera, permit) => {
      const { numUpdatedRows } = await store.change(permit, (on) =>
        on
          .updateTable('access_requests')
          .set({ answered: 1 })
          .where('username', '=', username)
          .where('camera', '=', camera)
          .where('answered', '=', 0)
          .executeTakeFirst(),
      );
      return numUpdatedRows > 0n;
    },

    prune: async () => {
      const before = now() - keptFor;
      const over = await store
        .selectFrom('access_requests')
        .select('camera')
        .where('asked_at', '<', before)
        .executeTakeFirst();
      // An empty delete would still clear the caches of all processes.
      if (over !== undefined)
        await store.change(unconditional, (on) =>
          on.deleteFrom('access_requests').where('asked_at', '<', before).execute(),
        );
    },
  };
}
